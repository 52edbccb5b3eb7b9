//! Which options did better than others in earlier playouts, wherever in the game they were chosen.

/// How many options are told apart; those that share a place share what was learnt.
const PLACES: usize = 1 << 13;

/// After so many playouts with an option, later ones count for more than earlier ones.
const MEMORY: u32 = 400;

/// What was learnt of an option.
#[derive(Debug, Clone, Copy, Default)]
struct Learnt {
    /// How much better than on average the playouts with it ended.
    gain: f64,
    count: u32,
}

/// What was learnt of all options.
#[derive(Debug, Clone)]
pub struct Weights(Vec<Learnt>);

impl Default for Weights {
    fn default() -> Self {
        Weights(vec![Learnt::default(); PLACES])
    }
}

impl Weights {
    /// How much better than on average playouts with this option end; nothing if it was hardly tried.
    pub fn gain(&self, key: u64) -> f64 {
        let learnt = self.0[key as usize % PLACES];
        // A few playouts prove little.
        learnt.gain * f64::from(learnt.count) / (f64::from(learnt.count) + 4.0)
    }

    /// A playout with this option ended so much better than on average.
    pub fn learn(&mut self, key: u64, gain: f64) {
        let learnt = &mut self.0[key as usize % PLACES];
        learnt.count = (learnt.count + 1).min(MEMORY);
        learnt.gain += (gain - learnt.gain) / f64::from(learnt.count);
    }
}
