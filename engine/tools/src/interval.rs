//! How sure a figure is: intervals that hold the true value in 95 of 100 cases.
//!
//! Sums are of whole numbers, so that they do not depend on the order in which games end.

use serde::{Deserialize, Serialize};

/// For 95 of 100 cases, in standard deviations.
pub(crate) const WIDE: f64 = 1.959_964;

/// The interval of a share of which `hits` of `trials` were seen; `hits` may count halves. By Wilson's formula, which also holds
/// near 0 and 1.
pub fn share(hits: f64, trials: f64) -> (f64, f64) {
    if trials <= 0.0 {
        return (0.0, 1.0);
    }
    let (seen, square) = (hits / trials, WIDE * WIDE);
    let middle = (seen + square / (2.0 * trials)) / (1.0 + square / trials);
    let width =
        WIDE / (1.0 + square / trials) * (seen * (1.0 - seen) / trials + square / (4.0 * trials * trials)).sqrt();
    ((middle - width).max(0.0), (middle + width).min(1.0))
}

/// Whole numbers as they come: how many, their sum, the least and the largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    count: u64,
    sum: i128,
    squares: i128,
    least: i64,
    most: i64,
}

impl Sums {
    /// Takes a number into account.
    pub fn add(&mut self, number: i64) {
        (self.least, self.most) = match self.count {
            0 => (number, number),
            _ => (self.least.min(number), self.most.max(number)),
        };
        self.count += 1;
        self.sum += i128::from(number);
        self.squares = self.squares.saturating_add(i128::from(number).saturating_mul(i128::from(number)));
    }

    /// How many numbers there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Their variance.
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = self.count as f64;
        ((self.squares as f64 - self.sum as f64 * self.mean()) / (count - 1.0)).max(0.0)
    }

    /// For reports.
    pub fn figure(&self) -> Figure {
        let mean = self.mean();
        let width = WIDE * (self.variance() / self.count.max(1) as f64).sqrt();
        let interval = (self.count > 1).then_some((mean - width, mean + width));
        Figure { mean, interval, deviation: self.variance().sqrt(), least: self.least, most: self.most }
    }
}

/// A mean, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The mean.
    pub mean: f64,
    /// Its interval; nothing after fewer than two games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// The standard deviation of single games.
    pub deviation: f64,
    /// The least.
    pub least: i64,
    /// The largest.
    pub most: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tables of textbooks.
    #[test]
    fn intervals_are_those_of_the_formulas() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 5e-4, "{found} is not {wanted}");
        let (low, high) = share(8.0, 10.0);
        near(low, 0.4902);
        near(high, 0.9433);
        let (low, high) = share(10.0, 10.0);
        near(low, 0.7225);
        near(high, 1.0);
        assert_eq!(share(0.0, 0.0), (0.0, 1.0));
        let mut sums = Sums::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| sums.add(number));
        let figure = sums.figure();
        near(figure.mean, 5.0);
        near(figure.deviation, 2.1381);
        near(figure.interval.unwrap_or_default().1, 5.0 + WIDE * 2.1381 / 8_f64.sqrt());
        assert_eq!((figure.least, figure.most), (2, 9));
    }
}
