import { z } from 'zod';

/** Languages of the dashboard and of its texts. */
export const languageSchema = z.enum(['en', 'bn'], { error: 'language must be en or bn' });
export type Language = z.infer<typeof languageSchema>;

/** Query of operations whose responses contain texts for people. */
export const languageQuerySchema = z.object({
  language: languageSchema.default('en').describe('Language of the texts. Default: English.'),
});
