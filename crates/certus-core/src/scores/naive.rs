//! Small sides and definitions so simple that they are unlikely to be wrong.

/// Every score that occurs, ascending.
pub fn distinct(positives: &[f64], negatives: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = positives.iter().chain(negatives).copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// All pairs of ascending sides of up to four scores from three values: every pattern of ties.
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
