//! Tables in a folder. A table `ab12` has `ab12.table.json` (pack, seats and their tokens) and `ab12.jsonl` (the log, one record
//! for each answer).

use std::io;
use std::path::{Path, PathBuf};

use rulepack_pack::read_text;
use rulepack_tools::{Growing, Safety, replace};

use crate::kept::Card;
use crate::storage::{Growth, Storage};

/// The largest file that is read again.
const LARGEST: u64 = 256 << 20;

/// The folder.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// The tables in a folder that exists.
    pub fn new(folder: &Path) -> Files {
        Files { folder: folder.to_path_buf() }
    }

    fn log(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }
}

impl Storage for Files {
    fn all(&self) -> io::Result<(Vec<Card>, usize)> {
        let (mut cards, mut unread) = (Vec::new(), 0_usize);
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let id = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".table.json"));
            let Some(id) = id.filter(|id| !id.starts_with('.')) else { continue };
            let card = read_text(&path, None, LARGEST).ok().and_then(|text| serde_json::from_str::<Card>(&text).ok());
            match card.filter(|card| card.id == id) {
                Some(card) => cards.push(card),
                None => unread = unread.saturating_add(1),
            }
        }
        cards.sort_by(|one, other| one.id.cmp(&other.id));
        Ok((cards, unread))
    }

    fn write_card(&self, card: &Card) -> io::Result<()> {
        let text = serde_json::to_string_pretty(card).map_err(io::Error::other)?;
        replace(&self.folder.join(format!("{}.table.json", card.id)), &text, Safety::Synced).map(drop)
    }

    fn begin_log(&self, id: &str, text: &str) -> io::Result<Box<dyn Growth>> {
        Ok(Box::new(replace(&self.log(id), text, Safety::Synced)?))
    }

    fn read_log(&self, id: &str) -> Result<String, String> {
        read_text(&self.log(id), None, LARGEST).map_err(|error| error.to_string())
    }
}

impl Growth for Growing {
    fn append(&mut self, records: &str) -> io::Result<()> {
        Growing::append(self, records, Safety::Written)
    }
}
