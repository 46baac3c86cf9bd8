import { randomInt } from 'node:crypto';
import { aRandomTrxId } from '@pay/testing';
import type { GatewayFile } from './gateway-file';

export function banner(
  { baseUrl, checkoutUrl, dashboardUrl, merchants }: GatewayFile,
  { runDir, demoOrderUrl }: { readonly runDir: string; readonly demoOrderUrl: string | undefined },
): string {
  const [merchant] = merchants;
  if (!merchant) return baseUrl;
  const { apiKey, deviceKey, receivers } = merchant.sandbox;
  const receiver = receivers.find(({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY');
  const order = `ORDER-${randomInt(1_000, 10_000)}`;
  return `
  Ready.              Demo order ${demoOrderUrl ?? ''}  (open it in a browser; one click pays it)
                      API        ${baseUrl}/v1
                      Checkout   ${checkoutUrl}/<intent id>
                      Reference  ${baseUrl}/v1/docs
                      Dashboard  ${dashboardUrl}
                      Log in     ${merchant.owner.email}, password ${merchant.owner.password}
                      Mails      ${runDir}/mail/*.eml (not sent)
                      Logs       ${runDir}/logs/<service>.log

  ${merchant.name}, sandbox: API key ${apiKey}

  Create an intent:

    curl -sS ${baseUrl}/v1/payments/intents -H 'X-Api-Key: ${apiKey}' \\
      -H 'Content-Type: application/json' \\
      -d '{"amount": 500, "idempotencyKey": "${order}", "paymentMethod": "bkash_send_money", "customerReference": "${order}"}'

  Pay it: what the shop's phone sends when bKash's text arrives

    curl -sS ${baseUrl}/v1/sms-events/incoming -H 'X-Device-Key: ${deviceKey}' \\
      -H 'Content-Type: application/json' \\
      -d "{\\"sender\\": \\"bKash\\", \\"receiverMsisdn\\": \\"${receiver?.msisdn ?? ''}\\", \\"receivedAt\\": \\"$(date -u +%FT%TZ)\\",
           \\"message\\": \\"You have received Tk 500.00 from 01712345678. Ref ${order}. Fee Tk 0.00. Balance Tk 1,730.25. TrxID ${aRandomTrxId()} at $(TZ=Asia/Dhaka date '+%d/%m/%Y %H:%M')\\"}"

  Play test cases of the sandbox (docs/sandbox.md):

    export BASE_URL=${baseUrl} SANDBOX_API_KEY=${apiKey} RECEIVER_MSISDN=${receiver?.msisdn ?? ''}
    npm run sandbox -- --url "$BASE_URL" --cases paid-by-reference,wrong-amount --junit results.xml

  Add a merchant:

    GATEWAY=${runDir}/gateway.json; NODE_ENV=development \\
      DATABASE_URL=$(node -p "require('$GATEWAY').databaseUrls['dashboard-api']") \\
      node dist/apps/dashboard-api/cli.js create-merchant --name='Corner Shop'

  A service that dies is restarted automatically. Ctrl-C ends everything; the data stay until \`npm run clean\`.
`;
}
