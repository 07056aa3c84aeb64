//! What columns must hold before a kernel may read them.

use std::ops::Range;

use super::lists::{List, Lists};
use crate::threads;

impl Lists<'_> {
    /// Whether the columns fit together; the error says which does not, at which query, and what was found.
    ///
    /// ```
    /// use certus_core::ranking::Columns;
    ///
    /// let mut columns = Columns::single(&[&[Some(1)], &[None]], &[]);
    /// assert!(columns.lists().check().is_ok());
    /// columns.ranks[0] = 3;
    /// assert_eq!(
    ///     columns.lists().check().unwrap_err(),
    ///     "query at index 0: rank 3 is not within its 2 retrieved documents"
    /// );
    /// ```
    pub fn check(&self) -> Result<(), String> {
        let hits = self.ranks.len();
        for (name, len) in [
            ("grades", self.grades.len()),
            ("tie_first", self.tie_first.len()),
            ("tie_size", self.tie_size.len()),
        ] {
            if len != hits {
                return Err(format!(
                    "{name} has {len} entries but ranks has {hits}; they describe the same hits"
                ));
            }
        }
        check_offsets("offsets", self.offsets, self.queries(), hits)?;
        check_offsets(
            "judged_offsets",
            self.judged_offsets,
            self.queries(),
            self.judged.len(),
        )?;
        let check = |mut queries: Range<usize>| {
            queries.try_for_each(|q| {
                check_list(&self.list(q)).map_err(|why| format!("query at index {q}: {why}"))
            })
        };
        if self.is_small() {
            return check(0..self.queries());
        }
        threads::map(self.queries(), 1, |queries| vec![check(queries)])
            .into_iter()
            .collect()
    }
}

fn check_offsets(name: &str, offsets: &[i64], queries: usize, end: usize) -> Result<(), String> {
    if offsets.len() != queries + 1 {
        return Err(format!(
            "{name} has {} entries; {queries} queries need {}",
            offsets.len(),
            queries + 1
        ));
    }
    if offsets[0] != 0
        || offsets[queries] != end as i64
        || offsets.windows(2).any(|pair| pair[0] > pair[1])
    {
        return Err(format!(
            "{name} must rise from 0 to {end}, the length of the column it divides"
        ));
    }
    Ok(())
}

fn check_list(list: &List) -> Result<(), String> {
    let mut rank_before = 0;
    let mut first_before = 0;
    let mut end_before = 0;
    for (i, &rank) in list.ranks.iter().enumerate() {
        let (first, size) = (list.tie_first[i], list.tie_size[i]);
        // a group of nobody from rank 0 ends nowhere; that no rank is in it is told below
        let end = (u64::from(first) + u64::from(size)).saturating_sub(1);
        if rank <= rank_before {
            return Err(format!(
                "rank {rank} follows rank {rank_before}; ranks must increase from 1"
            ));
        }
        if rank > list.retrieved {
            return Err(format!(
                "rank {rank} is not within its {} retrieved documents",
                list.retrieved
            ));
        }
        if first == 0 || rank < first || u64::from(rank) > end || end > u64::from(list.retrieved) {
            return Err(format!(
                "rank {rank} has a tie group of {size} from rank {first}, which cannot hold it"
            ));
        }
        if first != first_before && u64::from(first) <= end_before
            || first == first_before && end != end_before
        {
            return Err(format!(
                "the tie group of rank {rank} overlaps that of rank {rank_before}"
            ));
        }
        (rank_before, first_before, end_before) = (rank, first, end);
    }
    if list.judged.windows(2).any(|pair| pair[0] < pair[1]) {
        return Err("judged grades must not increase".to_owned());
    }
    if list.judged.len() < list.ranks.len() {
        return Err(format!(
            "{} hits but only {} judged documents",
            list.ranks.len(),
            list.judged.len()
        ));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use crate::ranking::Columns;

    fn broken(change: impl Fn(&mut Columns)) -> String {
        let mut columns =
            Columns::single(&[&[Some(2)], &[Some(1), None, Some(0)], &[Some(1)]], &[1]);
        columns.lists().check().unwrap();
        change(&mut columns);
        columns.lists().check().unwrap_err()
    }

    #[test]
    fn every_column_is_checked() {
        assert!(broken(|c| c.grades.truncate(1)).contains("grades has 1 entries but ranks has 4"));
        assert!(broken(|c| c.tie_size.push(1)).contains("tie_size has 5"));
        assert!(broken(|c| c.offsets.push(4)).contains("offsets has 3 entries; 1 queries need 2"));
        assert!(broken(|c| c.offsets[1] = 3).contains("must rise from 0 to 4"));
        assert!(broken(|c| c.judged_offsets[0] = -1).contains("judged_offsets must rise"));
        assert!(broken(|c| c.ranks[1] = 1).contains("rank 1 follows rank 1"));
        assert!(broken(|c| c.ranks[0] = 0).contains("rank 0 follows rank 0"));
        assert!(broken(|c| c.retrieved[0] = 4).contains("rank 5 is not within its 4"));
        assert!(broken(|c| c.tie_size[0] = 0).contains("tie group of 0 from rank 1"));
        assert!(
            broken(|c| (c.tie_first[0], c.tie_size[0]) = (0, 0))
                .contains("tie group of 0 from rank 0")
        );
        assert!(broken(|c| c.tie_size[3] = u32::MAX).contains("cannot hold it"));
        assert!(broken(|c| c.tie_size[0] = 2).contains("overlaps"));
        assert!(broken(|c| c.tie_size[1] = 4).contains("overlaps"));
        assert!(broken(|c| c.judged.reverse()).contains("must not increase"));
        assert!(
            broken(|c| {
                c.judged.truncate(3);
                c.judged_offsets[1] = 3;
            })
            .contains("4 hits but only 3 judged")
        );
    }
}
