/**
 * A webhook endpoint with Express. In the folder of the gateway, pack the library that verifies webhooks; in the folder
 * of this file, install the archive. It is in no registry: a package of this name that comes from one is somebody
 * else's.
 *
 * node tools/pack-signing.mjs ~/webhook-example
 * cp docs/webhooks/examples/express.mjs ~/webhook-example && cd ~/webhook-example
 * npm install express ./pay-signing-0.1.0.tgz
 * WEBHOOK_SECRET=a-long-random-text WEBHOOK_ENVIRONMENT=SANDBOX PORT=4000 node express.mjs
 */
import { verifyWebhook, WebhookVerificationError } from '@pay/signing';
import express from 'express';

// While you rotate the secret, the header contains a signature with each secret.
const secrets = [process.env.WEBHOOK_SECRET, process.env.WEBHOOK_NEXT_SECRET].filter(Boolean);

/** The environment that this shop sells in. A SANDBOX event means no money. */
const environment = process.env.WEBHOOK_ENVIRONMENT || 'LIVE';

/** Yours is a table with a unique key, written in the transaction that fulfils the order. */
const fulfilled = new Set();

function fulfil({ payment_intent_id: intentId }) {
  if (fulfilled.has(intentId)) return;
  fulfilled.add(intentId);
  console.log(`fulfilled ${intentId}`);
}

const app = express();

// express.raw, not express.json: what is signed are the bytes as they came.
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  try {
    verifyWebhook(request.body, request.headers, secrets);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(401).send(error.message);
    return;
  }
  const { event, environment: eventEnvironment, challenge, data } = JSON.parse(request.body.toString());
  if (event === 'webhook.endpoint_verification') {
    response.json({ challenge });
    return;
  }
  // Test cases of the sandbox ask what the shop knows of an order; see docs/sandbox.md.
  if (event === 'webhook.order_status') {
    const isFulfilled = fulfilled.has(data.payment_intent_id);
    response.json({ stored: isFulfilled, fulfilled: isFulfilled });
    return;
  }
  // Answer 200 for the other environment too: a retry would not change the environment.
  if (eventEnvironment !== environment)
    console.log(`not fulfilled: a ${eventEnvironment} event in a ${environment} shop`);
  else if (event === 'payment.paid') fulfil(data);
  response.sendStatus(200);
});

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`listening on ${server.address().port}`);
});
