// @ts-check
// The sound that says that it is one's turn. It is off until somebody switches it on, and the browser remembers that.

const KEPT = "rulepack.sound";

/** @type {AudioContext | undefined} */
let audio;

export function isOn() {
  return localStorage.getItem(KEPT) === "on";
}

/**
 * Switches the sound on or off. Browsers let a page sound only after a click, such as the one on the switch.
 * @param {boolean} on
 */
export function turn(on) {
  localStorage.setItem(KEPT, on ? "on" : "off");
  if (on) chime();
}

/** Two short notes, one above the other. */
export function chime() {
  if (!isOn()) return;
  audio ??= new AudioContext();
  void audio.resume();
  const now = audio.currentTime;
  for (const [number, pitch] of [523, 784].entries()) {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    const begins = now + number * 0.14;
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, begins);
    volume.gain.exponentialRampToValueAtTime(0.12, begins + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, begins + 0.3);
    note.connect(volume).connect(audio.destination);
    note.start(begins);
    note.stop(begins + 0.32);
  }
}
