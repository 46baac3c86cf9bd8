import { z } from 'zod';
import { isStorableText } from '../text';

/** A JSON object as a request body; unknown fields are dropped, anything but an object is refused in a sentence. */
export function requestBody<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: 'body must be a JSON object' });
}

/** Free text in a request: what cannot be stored is refused here, with the field's name. */
export function storableText(field: string, missing = `${field} must be a string`) {
  return z.string({ error: missing }).refine(isStorableText, `${field} must be text without NUL`);
}
