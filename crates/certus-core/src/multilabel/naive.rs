//! Small rows with every pattern of ties, and every order that their ties allow.

/// All rows of up to four labels with scores from three values.
pub fn tables() -> impl Iterator<Item = (Vec<bool>, Vec<f64>)> {
    (1..=4_u32).flat_map(|labels| {
        (0..6_usize.pow(labels)).map(move |code| {
            let digits = (0..labels).map(|place| code / 6_usize.pow(place) % 6);
            digits
                .map(|digit| (digit % 2 == 1, [-1.0, 0.0, 2.5][digit / 2]))
                .unzip()
        })
    })
}

/// The labels by decreasing score, once for each order of all labels that has them so.
pub fn orders<T: Copy>(labels: &[T], scores: &[f64]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    permute(
        &mut (0..labels.len()).collect::<Vec<_>>(),
        0,
        &mut |order| {
            if order
                .windows(2)
                .all(|pair| scores[pair[0]] >= scores[pair[1]])
            {
                found.push(order.iter().map(|&label| labels[label]).collect());
            }
        },
    );
    found
}

/// The mean of `value` over these orders.
pub fn mean_over_orders<T: Copy>(labels: &[T], scores: &[f64], value: impl Fn(&[T]) -> f64) -> f64 {
    let all = orders(labels, scores);
    all.iter().map(|ranked| value(ranked)).sum::<f64>() / all.len() as f64
}

fn permute(order: &mut Vec<usize>, fixed: usize, visit: &mut impl FnMut(&[usize])) {
    if fixed == order.len() {
        visit(order);
    }
    for other in fixed..order.len() {
        order.swap(fixed, other);
        permute(order, fixed + 1, visit);
        order.swap(fixed, other);
    }
}
