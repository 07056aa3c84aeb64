//! Small data that have every pattern of ties.

/// Every score that occurs, ascending.
pub fn distinct(positives: &[f64], negatives: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = positives.iter().chain(negatives).copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// All pairs of ascending sides of up to six scores from three values.
pub fn pairs_of_sides() -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut sides = Vec::new();
    for low in 0..3 {
        for middle in 0..3 {
            for high in 0..3 - low {
                sides.push([vec![-1.0; low], vec![0.0; middle], vec![2.5; high]].concat());
            }
        }
    }
    let pair = |p: &Vec<f64>| {
        let p = p.clone();
        sides.iter().map(move |n| (p.clone(), n.clone()))
    };
    sides.iter().flat_map(pair).collect()
}

/// The steps of every pair of sides as counts, empty ones among them; and some of weights.
pub fn cases() -> Vec<Vec<(f64, f64)>> {
    let masses = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (2.0, 3.0), (0.3, 0.1)];
    let mut all = vec![Vec::new()];
    for length in 1..5_u32 {
        for index in 0..5_usize.pow(length) {
            all.push(
                (0..length)
                    .map(|k| masses[index / 5_usize.pow(k) % 5])
                    .collect(),
            );
        }
    }
    all
}

pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14
}
