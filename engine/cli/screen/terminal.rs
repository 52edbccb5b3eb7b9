//! The terminal in full-screen mode: drawing lines, reading keys, and leaving it as it was, also after a panic or a signal.

use std::io::{self, IsTerminal, Stdout, Write, stdout};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{cursor, execute};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as Drawn, Span as DrawnSpan};

use super::text::{Line, Look};
use crate::stop::{hold_talk, release_talk, wants_color};

/// Whether the terminal is in full-screen mode, for the panic hook.
static IS_FULL: AtomicBool = AtomicBool::new(false);

/// What came from the keyboard or the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// A character.
    Letter(char),
    /// A key without a character.
    Key(KeyCode),
    /// The player wants to stop: Ctrl-C, or the terminal is gone.
    End,
    /// The window has another size.
    Resized,
}

/// A terminal in full-screen mode. Dropping it restores the terminal.
pub struct FullScreen {
    /// Never dropped: dropping it shows the cursor, as `restore` does, and panics if the terminal is gone.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    has_color: bool,
    /// Whether a signal has told the program to end.
    ends: Arc<AtomicBool>,
}

impl FullScreen {
    /// Switches the terminal to full-screen mode.
    pub fn enter() -> io::Result<FullScreen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                before(panic);
            }));
        });
        enable_raw_mode()?;
        IS_FULL.store(true, Ordering::SeqCst);
        let ends = Arc::new(AtomicBool::new(false));
        guard(&ends);
        hold_talk();
        let entered = execute!(stdout(), EnterAlternateScreen, cursor::Hide)
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        match entered {
            Ok(terminal) => {
                Ok(FullScreen { terminal: ManuallyDrop::new(terminal), has_color: wants_color(&stdout()), ends })
            }
            Err(error) => {
                restore();
                release_talk();
                Err(error)
            }
        }
    }

    /// Whether a signal has told the program to end.
    pub fn is_to_end(&self) -> bool {
        self.ends.load(Ordering::SeqCst)
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        self.terminal.size().map_or((80, 24), |size| (usize::from(size.width), usize::from(size.height)))
    }

    /// Draws lines; only what has changed is sent.
    pub fn draw(&mut self, lines: &[Line]) -> io::Result<()> {
        let has_color = self.has_color;
        let drawn: Vec<Drawn<'_>> = lines.iter().map(|line| drawn(line, has_color)).collect();
        self.terminal.draw(|frame| {
            let area = frame.area();
            for (row, line) in (0..area.height).zip(&drawn) {
                frame.buffer_mut().set_line(0, row, line, area.width);
            }
        })?;
        Ok(())
    }

    /// What is heard within this time.
    pub fn hear(&self, within: Duration) -> io::Result<Option<Heard>> {
        if !event::poll(within)? {
            return Ok(None);
        }
        Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => Some(match key.code {
                KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => Heard::End,
                KeyCode::Char(letter) => Heard::Letter(letter),
                code => Heard::Key(code),
            }),
            Event::Resize(..) => Some(Heard::Resized),
            Event::Key(_) | Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Paste(_) => None,
        })
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore();
        release_talk();
    }
}

/// Ends the program if its terminal is gone, or if it does not end within two seconds after a signal. Reading keys from a
/// terminal that was closed never returns, so the dialogue cannot do this itself. The game is in its file after every answer.
fn guard(ends: &Arc<AtomicBool>) {
    const LOOK: Duration = Duration::from_millis(200);
    const MOST_LOOKS: u32 = 10;
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        // Without it the signal ends the program at once, and leaves the terminal as it is.
        let _ = signal_hook::flag::register(signal, Arc::clone(ends));
    }
    let ends = Arc::clone(ends);
    std::thread::spawn(move || {
        let mut looks = 0;
        while IS_FULL.load(Ordering::SeqCst) && looks < MOST_LOOKS {
            std::thread::sleep(LOOK);
            looks = if is_gone() || ends.load(Ordering::SeqCst) { looks + 1 } else { 0 };
        }
        if looks >= MOST_LOOKS {
            restore();
            std::process::exit(0);
        }
    });
}

/// Whether the terminal was closed.
pub fn is_gone() -> bool {
    !io::stdin().is_terminal() || !stdout().is_terminal()
}

/// Leaves full-screen mode, if it is on.
fn restore() {
    if IS_FULL.swap(false, Ordering::SeqCst) {
        // There is nobody to tell if it fails.
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, cursor::Show);
        let _ = stdout().flush();
    }
}

fn drawn(line: &Line, has_color: bool) -> Drawn<'_> {
    Drawn::from(
        line.0.iter().map(|span| DrawnSpan::styled(span.text(), style(span.look, has_color))).collect::<Vec<_>>(),
    )
}

fn style(look: Look, has_color: bool) -> Style {
    let plain = Style::new();
    let colored = |color: Color| if has_color { plain.fg(color) } else { plain };
    match look {
        Look::Plain => plain,
        Look::Head => colored(Color::Cyan).add_modifier(Modifier::BOLD),
        Look::Dim => plain.add_modifier(Modifier::DIM),
        Look::Own => colored(Color::Green),
        Look::Changed => colored(Color::Yellow).add_modifier(Modifier::BOLD),
        Look::Key => colored(Color::Magenta).add_modifier(Modifier::BOLD),
        Look::Chosen => plain.add_modifier(Modifier::REVERSED),
        Look::Found => colored(Color::Black)
            .bg(if has_color { Color::Yellow } else { Color::Reset })
            .add_modifier(Modifier::UNDERLINED),
        Look::Wrong => colored(Color::Red).add_modifier(Modifier::BOLD),
    }
}
