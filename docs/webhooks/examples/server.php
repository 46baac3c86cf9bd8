<?php

/**
 * A webhook endpoint with nothing but PHP's own functions (8.0 or later).
 *
 * WEBHOOK_SECRET=a-long-random-text WEBHOOK_ENVIRONMENT=SANDBOX php -S 127.0.0.1:4000 server.php
 */

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** While you rotate the secret, the new one stands beside the old one. */
$secrets = array_values(array_filter([getenv('WEBHOOK_SECRET'), getenv('WEBHOOK_NEXT_SECRET')]));

/** The environment that this shop sells in. Nobody paid money for a SANDBOX event. */
$environment = getenv('WEBHOOK_ENVIRONMENT') ?: 'LIVE';

/** Null when the request is genuine and recent, else a sentence. $rawBody are the bytes as they came. */
function problemOf(string $rawBody, array $secrets): ?string
{
    foreach (['WEBHOOK_ID', 'WEBHOOK_TIMESTAMP', 'WEBHOOK_SIGNATURE'] as $name) {
        if (($_SERVER["HTTP_$name"] ?? '') === '') {
            return 'The header ' . strtolower(strtr($name, '_', '-')) . ' is missing.';
        }
    }
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'];
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
        return 'The header webhook-timestamp is not a time in Unix seconds.';
    }
    $signed = $_SERVER['HTTP_WEBHOOK_ID'] . ".$timestamp.$rawBody";
    $matches = false;
    foreach ($secrets as $secret) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true));
        foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE']) as $entry) {
            $matches = hash_equals($expected, $entry) || $matches;
        }
    }
    if (!$matches) {
        return 'No signature in webhook-signature belongs to this body and secret.';
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return 'The time in webhook-timestamp is too far from now.';
    }
    return null;
}

/** The file that says that an order is fulfilled. */
function markOf(array $data): string
{
    $folder = getenv('FULFILLED_FOLDER') ?: sys_get_temp_dir();
    return $folder . '/fulfilled-' . hash('sha256', $data['payment_intent_id']);
}

/** Yours is a table with a unique key, written in the transaction that fulfils the order; here a file that can be made once. */
function fulfil(array $data): void
{
    $mark = @fopen(markOf($data), 'x');
    if ($mark === false) {
        return;
    }
    fclose($mark);
    file_put_contents('php://stderr', "fulfilled {$data['payment_intent_id']}\n");
}

$rawBody = file_get_contents('php://input');
$problem = $secrets === [] ? 'WEBHOOK_SECRET is not set.' : problemOf($rawBody, $secrets);
if ($problem !== null) {
    http_response_code($secrets === [] ? 500 : 401);
    echo $problem;
    return;
}
$body = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
if ($body['event'] === 'webhook.endpoint_verification') {
    header('Content-Type: application/json');
    echo json_encode(['challenge' => $body['challenge']]);
    return;
}
// Test cases of the sandbox ask what the shop knows of an order; see docs/sandbox.md.
if ($body['event'] === 'webhook.order_status') {
    $isFulfilled = file_exists(markOf($body['data']));
    header('Content-Type: application/json');
    echo json_encode(['stored' => $isFulfilled, 'fulfilled' => $isFulfilled]);
    return;
}
// Answer 200 for the other environment too: a retry would not change the environment.
if ($body['environment'] !== $environment) {
    file_put_contents('php://stderr', "not fulfilled: a {$body['environment']} event in a $environment shop\n");
} elseif ($body['event'] === 'payment.paid') {
    fulfil($body['data']);
}
http_response_code(200);
