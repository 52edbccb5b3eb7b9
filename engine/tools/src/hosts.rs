//! The script hosts of a thread: one for each ruleset that is played in it.
//!
//! A host cannot change threads, and a game can. So a game holds no host: the code that answers it asks for the host of
//! its own thread. A script that waits in the host of another thread is run again from its beginning, with the answers
//! given since.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use rulepack_bots::Hosts;
use rulepack_kernel::{EffectHost, Fault, Ruleset};
use rulepack_script::ScriptHost;

use crate::load::GameBox;

/// The number of hosts kept in each thread; a host of a large game takes one or two megabytes.
const MOST: usize = 8;

thread_local! {
    /// The hosts of this thread; the one used last is at the end.
    static HOSTS: RefCell<Vec<(Weak<Ruleset>, Rc<ScriptHost>)>> = const { RefCell::new(Vec::new()) };
}

impl GameBox {
    /// The script host of this thread for these rules. It is made when it is first needed and kept as long as the rules
    /// exist and not too many other games are played in this thread.
    ///
    /// # Errors
    /// As for [`GameBox::host`].
    pub fn host_here(&self) -> Result<Rc<ScriptHost>, Fault> {
        let known = HOSTS.try_with(|hosts| {
            let mut hosts = hosts.borrow_mut();
            let at = hosts.iter().position(|(rules, _)| std::ptr::eq(rules.as_ptr(), Arc::as_ptr(self.rules())))?;
            let entry = hosts.remove(at);
            let host = Rc::clone(&entry.1);
            hosts.push(entry);
            Some(host)
        });
        if let Ok(Some(host)) = known {
            return Ok(host);
        }
        let host = Rc::new(self.host()?);
        // A thread that is ending keeps nothing.
        let _ = HOSTS.try_with(|hosts| {
            let mut hosts = hosts.borrow_mut();
            // As long as a pointer is kept here, no other rules can get the same address.
            hosts.retain(|(rules, _)| rules.strong_count() > 0);
            let surplus = (hosts.len() + 1).saturating_sub(MOST);
            hosts.drain(..surplus);
            hosts.push((Arc::downgrade(self.rules()), Rc::clone(&host)));
        });
        Ok(host)
    }
}

impl Hosts for GameBox {
    fn host(&self) -> Result<Rc<dyn EffectHost>, Fault> {
        Ok(self.host_here()?)
    }
}
