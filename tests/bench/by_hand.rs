//! The two small games of `tests/fixtures/small` as somebody would write them in Rust, without an engine: the limit for what
//! their packs can reach. Boards are arrays, options a list that is used again, lines are looked for through the last piece.

/// What a playout needs of a game.
pub trait ByHand: Clone + Default {
    /// Lists what the player at turn can do.
    fn options(&self, options: &mut Vec<u8>);
    /// Does one of them; whether the game is over.
    fn play(&mut self, option: u8) -> bool;
}

/// Plays to the end by chance; how many turns there were.
pub fn playout<G: ByHand>(game: &G, random: &mut Random, options: &mut Vec<u8>) -> u32 {
    let mut game = game.clone();
    let mut turns = 0;
    loop {
        options.clear();
        game.options(options);
        let option = options[random.below(options.len())];
        turns += 1;
        if game.play(option) {
            return turns;
        }
    }
}

/// SplitMix64, as in the engine.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * bound as u128) >> 64) as usize
    }
}

/// Whose piece lies on a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Cell {
    #[default]
    Empty,
    First,
    Second,
}

impl Cell {
    fn other(self) -> Cell {
        if self == Cell::First { Cell::Second } else { Cell::First }
    }
}

/// Three in a row on nine spaces.
#[derive(Clone)]
pub struct TicTacToe {
    board: [Cell; 9],
    at_turn: Cell,
    free: u8,
}

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe { board: [Cell::Empty; 9], at_turn: Cell::First, free: 9 }
    }
}

impl ByHand for TicTacToe {
    fn options(&self, options: &mut Vec<u8>) {
        options.extend((0..9).filter(|space| self.board[*space as usize] == Cell::Empty));
    }

    fn play(&mut self, option: u8) -> bool {
        let (row, column) = (option as usize / 3, option as usize % 3);
        let me = self.at_turn;
        self.board[option as usize] = me;
        self.free -= 1;
        self.at_turn = me.other();
        let mine = |row: usize, column: usize| self.board[row * 3 + column] == me;
        let won = (0..3).all(|at| mine(row, at))
            || (0..3).all(|at| mine(at, column))
            || row == column && (0..3).all(|at| mine(at, at))
            || row + column == 2 && (0..3).all(|at| mine(at, 2 - at));
        won || self.free == 0
    }
}

/// Four in a line, in columns that fill up from below.
#[derive(Clone)]
pub struct ConnectFour {
    board: [[Cell; 7]; 6],
    height: [u8; 7],
    at_turn: Cell,
    free: u8,
}

impl Default for ConnectFour {
    fn default() -> Self {
        ConnectFour { board: [[Cell::Empty; 7]; 6], height: [0; 7], at_turn: Cell::First, free: 42 }
    }
}

impl ByHand for ConnectFour {
    fn options(&self, options: &mut Vec<u8>) {
        options.extend((0..7).filter(|column| self.height[*column as usize] < 6));
    }

    fn play(&mut self, option: u8) -> bool {
        let (row, column) = (self.height[option as usize] as i32, i32::from(option));
        let me = self.at_turn;
        self.board[row as usize][column as usize] = me;
        self.height[option as usize] += 1;
        self.free -= 1;
        self.at_turn = me.other();
        let run = |down: i32, right: i32| {
            let like = |by: &i32| {
                let (row, column) = (row + by * down, column + by * right);
                (0..6).contains(&row) && (0..7).contains(&column) && self.board[row as usize][column as usize] == me
            };
            (1..=3).take_while(like).count()
        };
        let won = run(-1, 0) >= 3
            || run(0, 1) + run(0, -1) >= 3
            || run(1, 1) + run(-1, -1) >= 3
            || run(1, -1) + run(-1, 1) >= 3;
        won || self.free == 0
    }
}
