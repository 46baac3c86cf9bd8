import type { en } from './en';

/** Every text of the page. A language without one of them does not compile. */
export type Dictionary = typeof en;

export type ScriptTexts = Dictionary['script'];
