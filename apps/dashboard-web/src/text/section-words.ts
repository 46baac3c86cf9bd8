import { useWords } from './language';
import { byLanguage, type Alike, type Pairs, type Words } from './pairs';

/** The texts of one section, loaded with its pages. */
export function sectionWords<Texts extends Pairs>(texts: Texts & Alike<Texts>): () => Words<Texts> {
  const words = byLanguage<Texts>(texts);
  return () => words[useWords().language];
}
