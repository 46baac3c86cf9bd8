import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { ApiFailure } from '../api/api-failure';
import './bangla-font.css';
import type { Language } from './format';
import { failureText } from './failure-text';
import * as format from './format';
import { byLanguage } from './pairs';
import { words as texts, type Dictionary } from './words';

const DICTIONARIES = byLanguage(texts);
const STORED = 'dashboard.language';

interface Words {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  readonly t: Dictionary;
  readonly money: (amount: string) => string;
  readonly count: (value: number) => string;
  readonly dateTime: (instant: string) => string;
  readonly ago: (instant: string) => string;
  readonly day: (date: string) => string;
  readonly weekday: (date: string) => string;
  readonly hour: (number: number) => string;
  readonly decimal: (value: number) => string;
  readonly seconds: (value: number) => string;
  readonly percent: (share: number) => string;
  readonly failure: (failure: ApiFailure) => string;
}

const Context = createContext<Words | undefined>(undefined);

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'bn') return stored;
  return navigator.language.startsWith('bn') ? 'bn' : 'en';
}

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, become] = useState(firstLanguage);
  const setLanguage = useCallback((next: Language) => {
    localStorage.setItem(STORED, next);
    become(next);
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const words = useMemo<Words>(
    () => ({
      language,
      setLanguage,
      t: DICTIONARIES[language],
      money: (amount) => format.money(amount, language),
      count: (value) => format.count(value, language),
      dateTime: (instant) => format.dateTime(instant, language),
      ago: (instant) => format.ago(instant, new Date(), language),
      day: (date) => format.day(date, language),
      weekday: (date) => format.weekday(date, language),
      hour: (number) => format.hour(number, language),
      decimal: (value) => format.decimal(value, language),
      seconds: (value) => format.seconds(value, language),
      percent: (share) => format.percent(share, language),
      failure: (failed) => failureText(failed, language),
    }),
    [language, setLanguage],
  );
  return <Context value={words}>{children}</Context>;
}

/** Texts and formats in the language of the user. */
export function useWords(): Words {
  const words = use(Context);
  if (!words) throw new TypeError('LanguageProvider is missing');
  return words;
}
