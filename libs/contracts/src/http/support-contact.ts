import { z } from 'zod';
import { emailText } from './email';
import { isHttpUrl } from './http-url';
import { boundedText, HTTPS_URL_PATTERN } from './request-values';

const MAX_WEBSITE_LENGTH = 300;
/** Digits with single spaces or dashes between them. Examples: +880 9600-000000, 16247. */
const PHONE_PATTERN = '^\\+?[0-9](?:[ -]?[0-9]){2,14}$';
const PHONE = new RegExp(PHONE_PATTERN);

export const supportPhone = (field: string) =>
  z
    .string({ error: `${field} must be a string or null` })
    .regex(PHONE, `${field} must be a phone number of 3 to 15 digits such as +880 9600-000000`)
    .meta({ minLength: 3, maxLength: 30, examples: ['+880 9600-000000'] });

export const supportEmail = (field: string) => emailText(field).meta({ examples: ['help@shop.example'] });

/** Only a link: nothing is ever loaded from it. */
export const supportWebsite = (field: string) =>
  boundedText(field, { min: 0, max: MAX_WEBSITE_LENGTH, missing: `${field} must be a string or null` })
    .refine((url) => isHttpUrl(url) && /^https:/i.test(url), `${field} must be an absolute https URL without user info`)
    .meta({ pattern: HTTPS_URL_PATTERN, examples: ['https://shop.example'] });

/** How a customer reaches the shop. Each field can be set alone; null removes it. */
export const supportContactInput = z
  .object(
    {
      phone: supportPhone('support.phone').nullish(),
      email: supportEmail('support.email').nullish(),
      website: supportWebsite('support.website').nullish(),
    },
    { error: 'support must be an object' },
  )
  .describe('How customers reach the shop. Shown on the checkout page; null removes a field.');
