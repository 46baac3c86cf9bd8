import { bn } from './bn';
import type { Dictionary } from './dictionary';
import { en } from './en';
import { LANGUAGES, type Language } from './languages';

export const DICTIONARIES: Readonly<Record<Language, Dictionary>> = { en, bn };

/** The language of the URL, else of the browser, for pages without an intent. */
export function languageOfProblem(asked: unknown, accepted: string | false): Language {
  return languageOf(asked, LANGUAGES.find((language) => language === accepted) ?? null);
}

/** The language of the URL, else of the intent, else English. */
export function languageOf(asked: unknown, given: Language | null): Language {
  return LANGUAGES.find((language) => language === asked) ?? given ?? 'en';
}
