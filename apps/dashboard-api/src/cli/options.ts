import {
  apiKeyScopeSchema,
  environmentSchema,
  hasWebAddress,
  isOneLine,
  isStorableText,
  paymentMethodSchema,
  ROLES,
  SERVICES,
  supportEmail,
  supportPhone,
  supportWebsite,
} from '@pay/contracts';
import { z } from 'zod';

const ID = '01939e5c-0000-7000-8000-000000000001';
const id = (of: string) =>
  z.uuid(`must be the UUID of ${of}, such as ${ID}`).meta({ description: `Id of ${of}`, examples: [ID] });

export const merchant = id('a merchant');
export const apiKeyId = id('an API key');
export const receiverId = id('a receiver account');
export const deviceId = id('a device');
export const proofId = id('a number verification request');

export const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(120, 'must have at most 120 characters')
  .refine(isStorableText, 'must not contain null characters or broken surrogate pairs')
  .refine(isOneLine, 'must not contain line breaks or other control characters')
  .refine((text) => !hasWebAddress(text), 'must not contain :// or www.')
  .meta({ examples: ["'Corner Shop'"] });

export const email = z
  .email('must be an e-mail address such as owner@shop.example')
  .max(254, 'must have at most 254 characters')
  .meta({ description: 'E-mail address for log-in', examples: ['owner@shop.example'] });

const accepted = (schema: z.ZodType<string>, message: string) =>
  z.string().refine((text) => schema.safeParse(text).success, message);

export const support = {
  phone: accepted(supportPhone('phone'), 'must be a phone number of 3 to 15 digits such as +880 9600-000000')
    .optional()
    .describe('Phone number of the shop for its customers'),
  email: accepted(supportEmail('email'), 'must be an e-mail address such as help@shop.example')
    .optional()
    .describe('E-mail address of the shop for its customers'),
  website: accepted(
    supportWebsite('website'),
    'must be an absolute https URL without user info, such as https://shop.example',
  )
    .optional()
    .describe('Website of the shop, an https URL'),
};

export const role = z
  .enum(ROLES, `must be one of ${ROLES.join(', ')}`)
  .meta({ description: 'Role of the user', examples: ['REVIEWER'] });

export const environment = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(environmentSchema.options, 'must be SANDBOX or LIVE'))
  .meta({ description: 'SANDBOX or LIVE', examples: ['SANDBOX'] });

export const method = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(paymentMethodSchema.options, `must be one of ${paymentMethodSchema.options.join(', ')}`))
  .meta({ description: 'Payment method', examples: ['BKASH_SEND_MONEY'] });

export const msisdn = z.string().meta({ description: 'Wallet number, such as 01712345678', examples: ['01712345678'] });

export const truth = z.stringbool({ error: 'must be true or false' }).meta({ examples: ['false'] });

export const methods = list(paymentMethodSchema.options);
export const scopes = list(apiKeyScopeSchema.options);

export const copyingService = z
  .enum([...SERVICES, 'all'], `must be one of ${[...SERVICES, 'all'].join(', ')}`)
  .refine((service) => service !== 'dashboard-api', 'must be a service other than dashboard-api, which owns the data')
  .meta({ description: 'Name of a service, or all', examples: ['intent-api'] });

export const simSlot = z
  .string()
  .regex(/^[1-9]$/, 'must be a slot number from 1 to 9; omit the option for any slot')
  .transform(Number);

/** Example: 1:0193a5f0-…,0193a5f1-… */
const SIM = /^([1-9]|any):(.+)$/;

export const sims = z
  .array(
    z.string().transform((text, context) => {
      const [, slot, receivers] = SIM.exec(text) ?? [];
      const receiverAccountIds = receivers?.split(',') ?? [];
      if (slot !== undefined && receiverAccountIds.every((each) => z.uuid().safeParse(each).success)) {
        return { simSlot: slot === 'any' ? null : Number(slot), receiverAccountIds };
      }
      context.addIssue({
        code: 'custom',
        message: `must be a slot (1 to 9, or any), a colon, and ids of receiver accounts separated by commas, such as 1:${ID}`,
      });
      return z.NEVER;
    }),
  )
  .refine((given) => new Set(given.map((sim) => sim.simSlot)).size === given.length, 'must name each slot once');

/** Values of a closed set, separated by commas. */
function list<Name extends string>(names: readonly Name[]) {
  const known: ReadonlySet<string> = new Set(names);
  return z
    .string()
    .transform((text) => [...new Set(text.split(',').map((each) => each.trim()))])
    .refine((given) => given.every((each) => known.has(each)), `must be a list of ${names.join(', ')}`)
    .transform((given) => names.filter((each) => given.includes(each)));
}
