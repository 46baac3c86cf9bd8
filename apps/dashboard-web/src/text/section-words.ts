import type { Widen } from './en';
import { useWords } from './language';

/** The texts of one section, loaded with its pages. A text that one language lacks is a compile error. */
export function sectionWords<Words>(en: Words, bn: Widen<Words>): () => Widen<Words> {
  return () => (useWords().language === 'bn' ? bn : (en as Widen<Words>));
}
