import { ENDPOINT_REQUESTS, endpointAnswerSchemas, endpointRequestSchemas, type EndpointRequest } from '@pay/contracts';
import { challengeBody, problemOfAnswer } from './challenge';
import { testBody } from './payload';
import { shopRequestBody } from './shop-request';

const ID = '0192f0c1-0000-7000-8000-00000000000a';
const NOW = new Date('2026-11-21T10:00:00Z');
const paymentIntent = { id: ID, amount: '500.5', customerReference: 'TEA-77', merchantReference: null };

const BODIES: Readonly<Record<EndpointRequest, string>> = {
  'webhook.endpoint_verification': challengeBody('LIVE', NOW, 'a-challenge'),
  'webhook.test': testBody('SANDBOX', NOW, ID),
  'webhook.order_status': shopRequestBody({ kind: 'order_status', endpointId: ID, paymentIntent }, NOW).body,
};

test.each(ENDPOINT_REQUESTS)('the body of %s has every field that the API description names, and no other', (event) => {
  const body: unknown = JSON.parse(BODIES[event]);

  expect(endpointRequestSchemas[event].parse(body)).toEqual(body);
});

test('the described response to a verification verifies the endpoint', () => {
  const response = endpointAnswerSchemas['webhook.endpoint_verification'].parse({ challenge: 'a-challenge' });

  expect(
    problemOfAnswer({ outcome: 'SUCCESS', httpStatus: 200, response: JSON.stringify(response) }, 'a-challenge'),
  ).toBeUndefined();
});
