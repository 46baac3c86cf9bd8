import { z } from 'zod';
import {
  brandingSchema,
  checkoutRulesSchema,
  evidenceRulesSchema,
  supportContactSchema,
} from '../../events/directory-events';
import { RELAXABLE_SIGNALS } from '../../evidence-signals';
import { paymentMethodSchema } from '../../payment-method';
import { listChange, ONE_BY_ONE } from '../list-change';
import { requestBody } from '../request-body';
import { supportContactInput } from '../support-contact';
import { method, name, versioned } from './fields';
import { personsReason, wholeNumber, yesOrNo } from '../request-fields';

/** A logo in a data URL of this length fits a page that must load on a slow network. */
const MAX_LOGO_LENGTH = 16_384;
const MAX_EVIDENCE_AGE_HOURS = 72;

/** The first bytes of the three formats, as base64 spells them: what is served as an image is one. */
const LOGO = /^data:image\/(?:png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|webp;base64,UklGR)[A-Za-z0-9+/]*={0,2}$/;

export const changeMerchantRequestSchema = requestBody({
  name: name('name').optional(),
  enabledMethods: listChange('enabledMethods', paymentMethodSchema.options, method('enabledMethods'))
    .optional()
    .describe(`An array replaces the whole list. ${ONE_BY_ONE}`),
  evidenceRules: z
    .object(
      {
        reviewForgerySignals: yesOrNo('evidenceRules.reviewForgerySignals').optional(),
        reviewBalanceBreaks: yesOrNo('evidenceRules.reviewBalanceBreaks').optional(),
        requirePayerAgreement: yesOrNo('evidenceRules.requirePayerAgreement').optional(),
        reviewOlderThanHours: wholeNumber(
          'evidenceRules.reviewOlderThanHours',
          1,
          MAX_EVIDENCE_AGE_HOURS,
          'evidenceRules.reviewOlderThanHours must be a whole number of hours or null',
        ).nullish(),
        relaxedSignals: listChange('evidenceRules.relaxedSignals', RELAXABLE_SIGNALS)
          .optional()
          .describe(
            `An array replaces the whole list. ${ONE_BY_ONE} In LIVE a payment with a listed signal is no longer reviewed for that signal, so anyone who can forge ` +
              'an SMS with it can forge a payment.',
          ),
      },
      { error: 'evidenceRules must be an object' },
    )
    .optional(),
  branding: z
    .object(
      {
        logo: z
          .string({ error: 'branding.logo must be a data URL or null' })
          .max(MAX_LOGO_LENGTH, `branding.logo must be at most ${MAX_LOGO_LENGTH} characters`)
          .regex(LOGO, 'branding.logo must be a data URL of a PNG, JPEG or WebP image in base64')
          .nullish(),
        colour: z
          .string({ error: 'branding.colour must be a string or null' })
          .regex(/^#[0-9a-fA-F]{6}$/, 'branding.colour must be a colour such as #1a2b3c')
          .meta({ minLength: 7, maxLength: 7 })
          .toLowerCase()
          .nullish(),
      },
      { error: 'branding must be an object' },
    )
    .optional(),
  checkout: z
    .object(
      {
        requirePayerDigits: yesOrNo('checkout.requirePayerDigits')
          .optional()
          .describe(
            'Checkout asks for the last three digits of the payer number. A claim with missing or different digits goes to review.',
          ),
      },
      { error: 'checkout must be an object' },
    )
    .optional(),
  support: supportContactInput.optional(),
  reason: personsReason
    .optional()
    .describe('Reason for the audit log; required when a signal is added to `evidenceRules.relaxedSignals`.'),
});

export const merchantResponseSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  enabledMethods: z.array(paymentMethodSchema),
  evidenceRules: evidenceRulesSchema.extend({ relaxedSignals: z.array(z.string()) }),
  branding: brandingSchema,
  checkout: checkoutRulesSchema,
  support: supportContactSchema,
  ...versioned,
});
export type MerchantResponse = z.infer<typeof merchantResponseSchema>;
