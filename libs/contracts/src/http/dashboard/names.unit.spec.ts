import { acceptInvitationRequestSchema, accountSchema } from '../auth';
import { changeApiKeyRequestSchema, createApiKeyRequestSchema } from './api-keys';
import { changeDeviceRequestSchema, createDeviceRequestSchema } from './devices';
import { changeMerchantRequestSchema } from './merchant';
import { createInvitationRequestSchema } from './people';
import { changeReceiverAccountRequestSchema, createReceiverAccountRequestSchema } from './receiver-accounts';

const NAMES = [
  ['merchant', changeMerchantRequestSchema, 'name'],
  ['invited person', createInvitationRequestSchema, 'name'],
  ['person who accepts', acceptInvitationRequestSchema, 'name'],
  ['new device', createDeviceRequestSchema, 'name'],
  ['device', changeDeviceRequestSchema, 'name'],
  ['new API key', createApiKeyRequestSchema, 'name'],
  ['API key', changeApiKeyRequestSchema, 'name'],
  ['new receiver account', createReceiverAccountRequestSchema, 'label'],
  ['receiver account', changeReceiverAccountRequestSchema, 'label'],
] as const;

// Mails contain names: line breaks could add paragraphs to them, and a link would look like one of the gateway.
describe.each(NAMES)('the name of a %s', (_of, schema, field) => {
  const problemsOf = (name: string) =>
    schema.safeParse({ [field]: name }).error?.issues.map(({ message }) => message) ?? [];

  it.each(['Shop\n\nYour account is locked', 'Shop \u202epohs'])(
    'is refused with the control character in %j',
    (name) => {
      expect(problemsOf(name)).toContain(`${field} must not contain line breaks or other control characters`);
    },
  );

  it.each(['Your wallet is locked. Restore it at https://evil.example/restore', 'WWW.evil.example'])(
    'is refused with the link in %j',
    (name) => {
      expect(problemsOf(name)).toContain(`${field} must not contain :// or www.`);
    },
  );
});

it('is valid in answers, if it was stored before links were refused', () => {
  const stored = { id: '01939e5c-0000-7000-8000-000000000001', name: 'Shop https://shop.example \u202e' };

  expect(accountSchema.shape.merchant.parse(stored)).toEqual(stored);
});
