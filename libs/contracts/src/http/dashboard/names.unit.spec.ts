import { acceptInvitationRequestSchema } from '../auth';
import { changeApiKeyRequestSchema, createApiKeyRequestSchema } from './api-keys';
import { changeDeviceRequestSchema, createDeviceRequestSchema } from './devices';
import { changeMerchantRequestSchema } from './merchant';
import { createInvitationRequestSchema } from './people';
import { changeReceiverAccountRequestSchema, createReceiverAccountRequestSchema } from './receiver-accounts';

// Mails contain names. A name with line breaks could add paragraphs and links of its own to them.
it.each([
  ['merchant', changeMerchantRequestSchema, 'name'],
  ['invited person', createInvitationRequestSchema, 'name'],
  ['person who accepts', acceptInvitationRequestSchema, 'name'],
  ['new device', createDeviceRequestSchema, 'name'],
  ['device', changeDeviceRequestSchema, 'name'],
  ['new API key', createApiKeyRequestSchema, 'name'],
  ['API key', changeApiKeyRequestSchema, 'name'],
  ['new receiver account', createReceiverAccountRequestSchema, 'label'],
  ['receiver account', changeReceiverAccountRequestSchema, 'label'],
])('rejects a line break in the name of a %s', (_of, schema, field) => {
  const issues = schema.safeParse({ [field]: 'Shop\n\nYour account is locked: https://evil.example' }).error?.issues;

  expect(issues?.map(({ message }) => message)).toContain(
    `${field} must not contain line breaks or other control characters`,
  );
});
