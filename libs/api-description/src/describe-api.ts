import { DEFAULT_RATE_LIMITS, type Operation } from '@pay/contracts';
import { describeOperation, pathOf } from './describe-operation';
import { describeWebhooks } from './describe-webhooks';
import type { OpenApiDocument, OpenApiOperation } from './document';
import { SHARED_HEADERS } from './headers';
import { ERROR_SCHEMAS, SHARED_RESPONSES } from './refusals';
import { SchemaBook } from './schema-book';

/** Placeholder for the address of the gateway. The reference page replaces it with its own. */
export const GATEWAY = 'https://gateway.example';

const {
  apiKeyPerSecond,
  merchantPerSecond,
  checkoutViewsPerMinute,
  checkoutAddressPerMinute,
  checkoutConfirmsPerMinute,
} = DEFAULT_RATE_LIMITS;

const RATE_LIMITS = `One API key may send ${apiKeyPerSecond.LIVE} requests per second in LIVE and ${apiKeyPerSecond.SANDBOX} in SANDBOX, and all keys of
a merchant together ${merchantPerSecond.LIVE} and ${merchantPerSecond.SANDBOX}. Payment intents, webhooks with events, and the sandbox are counted separately. At the public
checkout, one client address may send ${checkoutAddressPerMinute.toLocaleString('en')} requests per minute, of them ${checkoutViewsPerMinute} for the view of one intent, and one intent
accepts ${checkoutConfirmsPerMinute} transaction IDs per minute. These are the defaults; a gateway can have other values. Responses of limited operations contain
the values in effect: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. If a limit is exceeded, the response is 429
\`RATE_LIMITED\`: wait as many seconds as \`Retry-After\` says, and then send the same request again.`;

const INTRODUCTION = `Confirms bKash and Nagad payments from SMS and notifies merchants with signed webhooks.

## Authentication

Send your API key in the header \`X-Api-Key\`. Create a key in the dashboard under **API keys**. A key that begins with \`sk_test_\`
belongs to SANDBOX, a key that begins with \`sk_live_\` to LIVE. This command asks for a key and creates a payment intent of Tk 500:

\`\`\`sh
printf 'API key: ' && read -r API_KEY && curl -sS ${GATEWAY}/v1/payments/intents \\
  -H "X-Api-Key: $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"amount": 500, "idempotencyKey": "first-try-'"$(date +%s)"'"}'
\`\`\`

On the reference page, press **Authorize** and enter a SANDBOX key; then open an operation and press **Execute**. The page keeps the key
until it is reloaded and sends it to this gateway only. Do not enter a LIVE key.

## Conventions

The API key determines the environment, SANDBOX or LIVE. A key gives no access to the data of the other environment, and ids of other
merchants or environments return 404. Unknown request fields are ignored, except a query parameter that differs from
a known one only in case, \`_\`, \`-\` or \`[]\`: it returns 400. \`/v1\` changes only by addition: ignore unknown response
fields, and treat an unknown status as not final. An unsupported method returns 405 with the supported methods in \`Allow\`.
Request bodies must not be compressed: a request with \`Content-Encoding\` returns 415.

Amounts are decimal strings in BDT ("1250.5"); times are ISO 8601 in UTC.

## Rate limits

${RATE_LIMITS}`;

const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'Key of a merchant for one environment, `sk_test_...` or `sk_live_...`. Each operation states the required scope.',
  },
  DeviceKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Device-Key',
    description: 'Key of one device, `dk_test_...` or `dk_live_...`.',
  },
  Session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of a dashboard user. Each operation states the permitted roles.',
  },
};

/** Tags in the order of the integration; others follow by name. */
const FIRST_TAGS = ['Payment intents', 'Checkout', 'Webhooks', 'SMS events'];
const METHODS: readonly Operation['method'][] = ['get', 'post', 'put', 'patch', 'delete'];

/** Fixed order, because the order of exports depends on the bundler. */
function byTagAndAddress(a: Operation, b: Operation): number {
  const place = ({ tag }: Operation) => (FIRST_TAGS.includes(tag) ? FIRST_TAGS.indexOf(tag) : FIRST_TAGS.length);
  return (
    place(a) - place(b) ||
    compare(a.tag, b.tag) ||
    compare(a.path, b.path) ||
    METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The document as text for the file and the response. */
export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The OpenAPI 3.1 document of these operations and of the webhooks. The same operations always give the same document.
 */
export function describeApi(operations: readonly Operation[]): OpenApiDocument {
  const book = new SchemaBook();
  const inOrder = [...operations].sort(byTagAndAddress);
  for (const [id, schema] of Object.entries(ERROR_SCHEMAS)) book.add(id, schema);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of inOrder) {
    (paths[pathOf(operation)] ??= {})[operation.method] = describeOperation(book, operation);
  }
  const webhooks = describeWebhooks(book);
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: { title: 'Payment gateway', version: '1', description: INTRODUCTION },
    servers: [{ url: '/', description: 'The server of this document.' }],
    tags: [...new Set(inOrder.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: book.shared(),
      headers: SHARED_HEADERS,
      responses: SHARED_RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
