//! The files of the page, compiled into the program.

/// A file of the page.
pub struct Asset {
    /// Its path below `/`.
    pub path: &'static str,
    /// Its type, as browsers are told.
    pub kind: &'static str,
    /// Its contents.
    pub text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page. `/` is `index.html`.
pub const ASSETS: [Asset; 11] = [
    Asset { path: "/", kind: "text/html; charset=utf-8", text: include_str!("../page/index.html") },
    Asset { path: "/style.css", kind: "text/css; charset=utf-8", text: include_str!("../page/style.css") },
    Asset { path: "/main.js", kind: SCRIPT, text: include_str!("../page/main.js") },
    Asset { path: "/lobby.js", kind: SCRIPT, text: include_str!("../page/lobby.js") },
    Asset { path: "/table.js", kind: SCRIPT, text: include_str!("../page/table.js") },
    Asset { path: "/board.js", kind: SCRIPT, text: include_str!("../page/board.js") },
    Asset { path: "/look.js", kind: SCRIPT, text: include_str!("../page/look.js") },
    Asset { path: "/sound.js", kind: SCRIPT, text: include_str!("../page/sound.js") },
    Asset { path: "/motion.js", kind: SCRIPT, text: include_str!("../page/motion.js") },
    Asset { path: "/dom.js", kind: SCRIPT, text: include_str!("../page/dom.js") },
    Asset { path: "/words.js", kind: SCRIPT, text: include_str!("../page/words.js") },
];
