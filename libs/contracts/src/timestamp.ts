import { z } from 'zod';

/** ISO 8601 with a time zone. */
export const timestamp = z.iso.datetime({ offset: true });
