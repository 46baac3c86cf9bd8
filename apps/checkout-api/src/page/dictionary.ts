import type { en } from './en';

/** A language without one of these texts does not compile. */
export type Dictionary = typeof en;

export type ScriptTexts = Dictionary['script'];
