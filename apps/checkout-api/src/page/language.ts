import { bn } from './bn';
import type { Dictionary } from './dictionary';
import { en } from './en';
import { LANGUAGES, type Language } from './languages';

export const DICTIONARIES: Readonly<Record<Language, Dictionary>> = { en, bn };

/** What the address asks for, else what the browser is set to: all there is to go by where no intent can be shown. */
export function languageOfProblem(asked: unknown, accepted: string | false): Language {
  return languageOf(asked, LANGUAGES.find((language) => language === accepted) ?? null);
}

/** What the address asks for, else what the merchant asked for at creation, else English. */
export function languageOf(asked: unknown, given: Language | null): Language {
  return LANGUAGES.find((language) => language === asked) ?? given ?? 'en';
}
