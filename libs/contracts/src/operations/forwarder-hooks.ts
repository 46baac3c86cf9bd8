import { z } from 'zod';
import { forwarderSchema } from '../forwarder';
import { forwarderAnswerSchema } from '../http/forwarder-hooks';
import { operations } from './operation';

/** 48 bytes in base64url: whose hook it is, and 256 random bits. */
const HOOK_ID = /^[A-Za-z0-9_-]{64}$/;

const PATH = '/v1/sms-events/hooks/:adapter/:hookId';

const hook = operations({
  service: 'sms-ingest',
  tag: 'SMS events',
  credential: { kind: 'none' },
  params: z.object({
    adapter: forwarderSchema,
    hookId: z.string().regex(HOOK_ID).meta({ minLength: 64, maxLength: 64 }),
  }),
  answers: {
    200: {
      description: 'The SMS are stored, or the request contained no SMS.',
      body: forwarderAnswerSchema,
    },
  },
  errors: [
    'UNAUTHORIZED',
    'UNSIGNED_TEXTS_REFUSED',
    'BUSY',
    'METHOD_NOT_ALLOWED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
  ],
});

export const receiveForwardedSms = hook.post('receiveForwardedSms', PATH, {
  summary: 'Receive SMS from a third-party forwarder app',
  description:
    'The URL, shown once in the dashboard, is the credential; an unknown URL returns 404. Bodies and signatures are ' +
    'those of the forwarder app, see docs/forwarders. 401: the signature is missing, wrong or older than five minutes. 403: the ' +
    'app does not sign the text, and no OWNER has allowed unsigned texts for this LIVE device.',
});

export const receiveForwardedSmsByGet = hook.get('receiveForwardedSmsByGet', PATH, {
  summary: 'Receive SMS from SmsForwarder with GET',
});

export const receiveForwardedSmsByPut = hook.put('receiveForwardedSmsByPut', PATH, {
  summary: 'Receive SMS from SmsForwarder with PUT',
});

export const receiveForwardedSmsByPatch = hook.patch('receiveForwardedSmsByPatch', PATH, {
  summary: 'Receive SMS from SmsForwarder with PATCH',
});
