"""The words of docs/hit-lists.md and docs/average-precision.md; make_hit_lists.py puts in what it computes."""

__all__ = ["AREA", "PAGE"]

PAGE = """\
# Hit lists

Written by `make docs` from `certus.HitList`; do not edit.

A hit list says which ranks of a ranking hold the hits: `xx--x` has hits at ranks 1, 2 and 5. Its length is the rank of
the last hit, which is how far one must look to find all. Fernando Náufel, *Comparando listas e rankings* (2024), on
lists, their number and a score, is worked through here with every number computed again; what it prints otherwise is
[listed below](#what-the-note-prints). How average precision follows from precision and recall has [a page of its
own](average-precision.md), and [all items](reference-items.md) of both are in a table.

```pycon
>>> from certus import HitList
>>> r = HitList("xx--x")
>>> r == HitList([5, 1, 2])
True
>>> print(f"{{r}} {{r:u}} has {{r.hits}} hits in {{r.length}} ranks")
xx--x ••◦◦• has 3 hits in 5 ranks
>>> r.ranks, r.precision().round(3).tolist(), r.score()
((1, 2, 5), [1.0, 1.0, 0.667, 0.5, 0.6], 0.67)
>>> HitList([1, 3, 3])
Traceback (most recent call last):
certus.core.errors.DataError: rank 3 is given twice; a rank holds one item

```

The command prints all there is to say of one list; `--plot FILE` draws it. A list that begins with a dash needs no
quoting (`certus hits -xx-x`), and ranks will do (`certus hits 1,2,5`).

A mask will do, too: 1 for a hit and 0 for none at each rank, with the misses after the last hit. Values that are all 0
or 1, or False and True, are a mask, unless they are a set: `HitList([1, 1, 0, 1, 0])`, `HitList(r.hit_list())`. So is a
text of 0 and 1 that starts with 0, has six digits or more, or has commas: `certus hits 110100`, `certus hits 0110`,
`certus hits 1,1,0`. Shorter ones stay ranks, such as `10`, `100` and `1000`. The card says what was taken, and `--mask`
or `--ranks` (`form="mask"`, `form="ranks"`) says what is meant. `HitList.from_scores(y_true, y_score)` ranks items by
their scores first, `certus hits 1,0,1 --scores .2,.9,.5` on the command line; a hit and a miss with one score leave no
order and are refused.

{card}

The table below the ranks takes all ranks of the list for predicted positives. A list that ends with its last hit
misses none: recall is 1 and precision k/p, the same for all lists of one length.

## From names, with what was missed

`HitList.from_names` makes the list of a ranking of names. Ranks after the last hit stay (`xx-x----` on the command
line), and so does the number of relevant items that were not retrieved (`--relevant`). They count in precision, recall,
average precision and the table; the score s and the percentiles are of the list down to its last hit.

```pycon
>>> r = HitList.from_names(["x", "a", "y", "b", "c", "z"], {{"a", "b", "c", "d"}})
>>> r, r.length, r.retrieved, r.hits, r.relevant
(HitList('-x-xx-', relevant=4), 5, 6, 3, 4)
>>> r.average_precision() == (1 / 2 + 2 / 4 + 3 / 5) / 4
True

```

The table of a threshold predicts the first ranks positive; the items below it that are relevant are its false
negatives, and all others in the population its true negatives.

```pycon
>>> table = r.contingency(20, cutoff=4)
>>> print(table)
       +R  -R  total
+P      2   2      4
-P      2  14     16
total   4  16     20
>>> table.recall, table.precision, table.informedness, table.markedness
(0.5, 0.5, 0.375, 0.375)

```

## All lists of a kind

The last of p ranks is a hit, and the other k - 1 hits lie anywhere in the first p - 1 ranks, so there are
C(p - 1, k - 1) lists, and 2^(p - 1) of all numbers of hits together. `HitList.count(p, k)` is exact for any size,
`HitList.all(p, k)` makes them one by one, and `HitList.table(p, k)` is a table with scores (`bullets=True` writes
the lists in bullets). On the command line `certus hits --all 8 --hits 5` lists them, `--all 2-10 --hits 2 --best-first`
those of several lengths by their score, `--plot FILE` draws the scores, and `--all 30 --hits 10 --count` only counts.

```pycon
>>> HitList.count(5, 3), [str(r) for r in HitList.all(5, 3)]
(6, ['xx--x', 'x-x-x', 'x--xx', '-xx-x', '-x-xx', '--xxx'])
>>> HitList.count(1000, 500) > 10**298
True
>>> print(HitList.table(5, 3, scores=("score", "average_precision")).to_pandas().round(4))
  hit_list  hits  length  score  average_precision
0    xx--x     3       5   0.67             0.8667
1    x-x-x     3       5   0.66             0.7556
2    x--xx     3       5   0.65             0.7000
3    -xx-x     3       5   0.65             0.5889
4    -x-xx     3       5   0.64             0.5333
5    --xxx     3       5   0.63             0.4778

```

{counts}

## A picture of a list

`r.plot()` draws each hit's rank against its place among the hits. Dots on the dotted line are hits without a miss
before them. Any function of a hit list can be the score in the title; here, as in the note, the correlation of the
two.

![the list x-x-x-xx with and without the line of least squares](images/hit-list.png)

## The score s

Náufel's score is k/p for the length, and a smaller part for the order, which is larger the later the misses come:

```text
s(r) = k/p + 2 * (sum of the ranks without a hit) / (m * p * (p - 1))        m > 2
```

It is 1 for a list of hits only and for no other: the best list with a miss is `x...x-x`, whose score is (p - 1)/p +
2/(m p), below 1 just when m > 2. `r.score(m=10)` computes it in whole numbers and rounds once. These are all 128
lists of 8 ranks, m = 10. Lists in one row tie; with p and k given, s depends on the sum of the hits' ranks alone.

{length_8}

### Lists of different length

A list to compare rankings by has one k. With two hits and up to ten ranks there are 45 lists. For m = 10 a shorter
list never scores less than a longer one; for m = 5 it may.

{two_hits}

![scores of all lists with two hits, for m = 10 above and m = 5 below](images/hit-list-scores.png)

When does the best list of p + 1 ranks reach the worst of p? Put in the sums, and it does just when

```text
m <= 2 p (k - 1) (p - k + 1) / (k (p - 1))
```

which for k = 2 is p >= m. So m = 10 keeps the lengths apart up to 10 ranks, where the best list of 11 ties with the
worst of 10, at 0.28; m = 5 up to 5, where `x----x` and `---xx` tie at 0.52. (Tested against all lists of up to 12
ranks.)

## Where a list lies among its kind

`r.percentile()` is the percentage of the lists of the same length and number of hits that score less, and half of
those that score the same, the list itself among them. The counts behind it are exact: `r.standing()`.

{kind}

```pycon
>>> r = HitList([2, 3, 9, 14, 20, 31, 40])
>>> r.standing("score"), r.standing("average_precision")
(Standing(below=3072179, equal=14955, above=175489), Standing(below=2984804, equal=19, above=277800))
>>> round(r.percentile(), 4)
91.4851

```

Sums of ranks are counted by the coefficients of a Gaussian binomial. For average precision every list is cut in two
and the halves are matched, in floats where these can tell two lists apart and in whole numbers where they cannot.
That reaches lists of 43 ranks with any number of hits, and longer ones with few. Beyond, the percentile comes from
the law of the score under a random ranking ([what chance would score](chance.md)), with its method and error:

```pycon
>>> p = HitList(range(1, 400, 4)).percentile()
>>> round(p, 4), p.method, p.error < 1e-7
(63.5923, 'fourier', True)

```

## What the note prints

All 128 values for 8 ranks, the 45 for m = 5, the 45 for m = 10 and the counts up to 30 ranks are confirmed.

| where | printed | should be |
|---|---|---|
| m = 10, `x-x` | 0,73333333, with eight decimals | 0.7333333, as the others |
| derivation of s, last step | equivalent to alpha = (p + 1)/(m (p - 1)) | met by it, for any m > 2 |
| s for p = 1 | 0/0 | 1, as for every list of hits only |
| section 2.1, in the text at hand | `-xxxx` with p = 6, k = 5 | `-xxxxx` |
"""

AREA = """\
# Average precision as an area

Written by `make docs` from `certus.HitList`; do not edit.

An unsigned note derives average precision from the precision-recall function. It is followed here with every number
computed again; [what it misprints](#what-the-note-prints) stands at the end.

## Precision and recall of sets and of sequences

Of the useful items A and the predicted ones P, precision is |P ∩ A| / |P| and recall |P ∩ A| / |A|. A sequence is
cut at k, which gives precision@k and recall@k:

```pycon
>>> from certus import HitList, classification, ranking
>>> useful = {{"a", "b", "c"}}
>>> classification.precision(useful, {{"a", "b", "x", "y"}}).value
0.5
>>> ranking.precision(useful, list("xaybcz"), cutoff=4).value
0.5
>>> round(ranking.average_precision(useful, list("xaybcz")).value, 4)
0.5333

```

The note's goal has the correct premises a, b, c among six, and the model ranks them x, a, y, b, c, z. As a hit list
that is `-x-xx-`: what follows the last hit plays no part in average precision. Rank 6 stands here for completeness.

{ranks}

Recall never falls along the ranks; precision does, from 3/5 to 3/6 at the end. As recall never falls it can be
inverted: `r.k_at_recall(x)` is the least number of ranks that reaches recall x, and `r.precision_at_recall(x)` the
precision there. Levels are compared exactly: Fraction(1, 3) is reached by one hit of three, and so is the float 1/3.

{recalls}

```pycon
>>> from fractions import Fraction
>>> r = HitList("-x-xx")
>>> r.k_at_recall(Fraction(1, 3)), r.k_at_recall(1 / 3), r.precision_at_recall(1)
(2, 2, 0.6)
>>> r.average_precision() == (1 / 2 + 2 / 4 + 3 / 5) / 3
True

```

Average precision is the area under precision@recall, from 0 to 1: each hit adds its precision times 1/k, the step of
recall there. `r.plot_area()` draws it (`certus hits -x-xx- --plot area.png --picture area`), on the left with an item
more that was missed; `r.plot_average_precision_at()` draws AP@K by its denominators (`--picture cutoffs`), on the
right of `x---x`. Over several queries see [rankings by recall](ranking-curves.md#precision-by-recall).

![precision at recall of -x-xx-, and AP@K of x---x by three denominators](images/hit-list-area.png)

`r.by_rank(items)` is the table of every rank, also as a DataFrame; `delta` tells hits, `s` counts them so far:

```pycon
>>> print(HitList.from_names(list("xaybcz"), {{"a", "b", "c"}}).by_rank("xaybcz"))
rank  item  delta  s  precision  recall
   1  x         0  0     0.0000  0.0000
   2  a         1  1     0.5000  0.3333
   3  y         0  1     0.3333  0.3333
   4  b         1  2     0.5000  0.6667
   5  c         1  3     0.6000  1.0000
   6  z         0  3     0.5000  1.0000

```

On the command line: `certus hits x,a,y,b,c,z --of a,b,c`.

## AP@K: what the sum is divided by

Down to rank K only recall from 0 to R = (hits so far)/k is covered. The note calls AP@K incoherent and then divides
the sum by the hits so far, "a hack". All three denominators in use are one area, seen against different bases:

| `denominator` | the sum is divided by | which is |
|---|---|---|
| `"relevant"` | all k hits | the area from 0 to R; never falls with K, at most R |
| `"min"` | min(k, K) | that area as a part of the largest possible one, so that a perfect top is 1 |
| `"hits"` | the hits so far (the note) | the area divided by R: the mean height of the curve where it is known |

The last forgets what was not found: a hit at rank 1 makes it 1 until the next hit, however many are missing, and
finding one more can lower it.

{denominators}

## What the note prints

| where | printed | should be |
|---|---|---|
| row of c | 5, c, 3/4 | 5, c, 3/5 |
| row of z | 5, z, 3/5 | 6, z, 3/6 |
| below the table | precision decreases 3/4 to 3/5 | 3/5 to 3/6 |
| setting | a sequence over the full universe of lemmas A | over D; A are the useful ones |
| sums | from i = 0 | from i = 1: ranks begin at 1 |
| N | the number of correct premises, then the size of the data set | two numbers; the divisor is the former |
"""
