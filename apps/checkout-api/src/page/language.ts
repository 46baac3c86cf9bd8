import { bn } from './bn';
import type { Dictionary } from './dictionary';
import { en } from './en';
import { LANGUAGES, type Language } from './languages';

export const DICTIONARIES: Readonly<Record<Language, Dictionary>> = { en, bn };

/** Precedence: URL, browser. For pages without an intent. */
export function languageOfProblem(asked: unknown, accepted: string | false): Language {
  return languageOf(asked, LANGUAGES.find((language) => language === accepted) ?? null);
}

/** Precedence: URL, intent, English. */
export function languageOf(asked: unknown, given: Language | null): Language {
  return LANGUAGES.find((language) => language === asked) ?? given ?? 'en';
}
