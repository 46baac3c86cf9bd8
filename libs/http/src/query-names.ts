import { z } from 'zod';
import { ValidationError } from './errors';

/**
 * Rejects a parameter whose name is another spelling of a known one, because ignoring a filter would return too many
 * rows. Other unknown parameters are ignored.
 */
export function queryNameCheck(schema: z.ZodType | undefined): (query: object) => void {
  if (!(schema instanceof z.ZodObject)) return () => undefined;
  const names = Object.keys(schema.shape);
  const known = new Set(names);
  const bySpelling = new Map(names.map((name) => [withoutStyle(name), name]));
  return (query) => {
    const sentences = Object.keys(query).flatMap((given) => {
      if (known.has(given)) return [];
      const meant = bySpelling.get(withoutStyle(given));
      return meant === undefined ? [] : [`${given.slice(0, 60)} is not a parameter; write ${meant}`];
    });
    if (sentences.length > 0) throw new ValidationError(sentences);
  };
}

/** Example: "merchantreference" for "merchant_reference", "Merchant-Reference" and "merchantReference[]". */
function withoutStyle(name: string): string {
  return name.replace(/[_-]|\[\]/g, '').toLowerCase();
}
