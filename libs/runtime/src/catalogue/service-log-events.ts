import { error, info, warn } from './entries';

export const INTENT_EVENTS = {
  'intent.created': info('A payment intent was created.', 'intentId merchantId environment paymentMethod expiresAt'),
  'intent.method_selected': info('The customer chose a method.', 'intentId merchantId environment paymentMethod'),
  'intent.expiries_moved': info(
    'A step of a SANDBOX test clock moved expiries.',
    'merchantId environment stepId intents',
  ),
  'intent.settled': info(
    'A decision changed the status of an intent.',
    'intentId merchantId environment from to matchId path reason decidedBy',
  ),
  'intent.decision_confirmed': warn(
    'After a failover, the reconciler repeated a decision that was already applied.',
    'intentId status epoch',
  ),
};

export const CHECKOUT_EVENTS = {
  'claims.reannounced': warn('Claims without a decision were announced again.', 'count'),
  'claim.decided': info(
    'A TrxID claim was decided; logged by checkout-api with the outcome returned to the customer, and by the reconciler with the reason.',
    'claimId intentId merchantId environment outcome smsEventId durationMs reason',
  ),
  'reconciler.not_reached': warn('The reconciler did not respond in time.', 'question'),
  'stream.read_failed': warn('An event stream could not read its intent; the read is retried.'),
};

export const SMS_EVENTS = {
  'sms.received': info(
    'One SMS was stored.',
    'merchantId environment deviceId durationMs smsEventId receiverAccountId provider outcome reason',
  ),
  'sms.batch_received': info(
    'A batch of SMS was stored; contains counts.',
    'merchantId environment deviceId durationMs parsed unparsed repeats refused',
  ),
  'sms.not_stored': error('SMS could not be stored; the phone received an error.', 'deviceId merchantId'),
  'sms.parsed_values_not_stored': error(
    'The parsed values of an SMS could not be stored; it was stored as UNPARSED.',
    'deviceId merchantId',
  ),
  'sms.reparsed': info(
    'UNPARSED SMS were parsed again; contains counts.',
    'merchantId environment examined changed unchanged skipped',
  ),
  'sms.not_reparsed': error('An SMS could not be parsed again.', 'smsEventId'),
  'sms.reannounced': warn('SMS without a decision were announced again.', 'count'),
  'sms.texts_deleted': info('Retention deleted SMS texts.', 'scope texts'),
  'sms.missing': warn(
    'The balances of a wallet show money that no SMS reports.',
    'merchantId environment direction gaps',
  ),
  'balances.not_followed': error('A balance chain could not be checked; the check is retried.', 'chainId'),
  'device.silent': warn(
    'A device that sends heartbeats has been silent for too long.',
    'deviceId merchantId environment seenAt',
  ),
  'device.back': info('A silent device sent a request again.', 'deviceId merchantId environment seenAt'),
};

export const RECONCILER_EVENTS = {
  'match.windows_moved': info(
    'A step of a SANDBOX test clock moved match windows.',
    'merchantId environment stepId windows',
  ),
  'match.decided': info(
    'A decision was made and committed.',
    'merchantId environment matchId decisionId smsEventId intentId status reason path failedRules intentStatus paidInTime decidedBy durationMs',
  ),
  'claim.disputed': info(
    'A claim named a TrxID that had paid another intent.',
    'merchantId environment intentId smsEventId paidIntentId',
  ),
  'decisions.not_sealed': error('Decisions could not be linked into their chain.', 'merchantId environment'),
  'decisions.chain_broken': error(
    'A decision chain, or a payment in it, differs from the signed decisions.',
    'merchantId environment position decisionId matchId paymentIntentId problem',
  ),
  'decisions.cut_refused': error(
    'Retention stopped at an entry that failed verification.',
    'merchantId environment position',
  ),
  'expiry.owner_not_reached': warn('Expiry waits because a service did not return its undecided items.', 'owner'),
  'expiry.owner_answered': info('The service responds again.', 'owner'),
  'expiry.failed': error(
    'An intent could not be expired. It is tried again in the next round; the others are not delayed.',
    'merchantId environment intentId',
  ),
  'match_window.failed': error(
    'The match window of a text could not be ended. It is tried again in the next round.',
    'merchantId environment smsEventId',
  ),
  'switch_off.failed': error(
    'An intent that can no longer be paid could not be failed. It is tried again after ten seconds; the others are not delayed.',
    'merchantId environment intentId',
  ),
  'switch_off.owner_not_reached': warn('dashboard-api did not confirm a switch-off.'),
  'switch_off.owner_answered': info('dashboard-api responds again.'),
};

export const WEBHOOK_EVENTS = {
  'delivery.waits_skipped': info(
    'A SANDBOX test clock jumped to the next due time of deliveries.',
    'merchantId environment stepId milliseconds due',
  ),
  'delivery.attempted': info(
    'One request to an endpoint has ended.',
    'deliveryId endpointId paymentIntentId eventType attempt outcome detail httpStatus status durationMs nextAttemptInSeconds isRecorded',
  ),
  'delivery.not_sent': error(
    'A request could not be sent because of an internal error; it is retried.',
    'deliveryId endpointId',
  ),
  'delivery.not_recorded': error(
    'The outcome of a request could not be stored; the delivery is sent again.',
    'deliveryId attempt',
  ),
  'delivery.leases_not_released': warn('Leases could not be released; they expire.', 'deliveries'),
  'delivery.claim_failed': warn('Due deliveries could not be claimed; the claim is retried.'),
  'delivery.presence_lost': warn('This process lost its presence lock; other processes may take over its leases.'),
  'delivery.leases_released': warn('Leases of dead processes were released.', 'senders deliveries'),
  'endpoint.failing': warn(
    'An endpoint has failed for an hour, a day or four days.',
    'endpointId failingSince failedAttempts',
  ),
  'endpoint.switched_off': warn('An endpoint was switched off.', 'endpointId failingSince failedAttempts reason'),
  'recovery.interrupted': warn('A recovery of deliveries was interrupted; it continues.'),
};

export const DASHBOARD_EVENTS = {
  'test_clock.service_not_reached': warn(
    'A service did not respond to a step of a SANDBOX test clock; it is retried.',
    'merchantId stepId',
  ),
  'session.reuse_detected': warn('A refresh token was used twice; its session was ended.', 'sessionId userId'),
  'mail.not_sent': warn('A mail could not be sent; it is retried.', 'mailId attempts'),
  'mail.refused': warn('The mail server refused the recipient; the mail was deleted.', 'mailId attempts'),
  'mail.given_up': error('A mail could not be sent for a day and was deleted.', 'mailId attempts'),
  'alerts.not_checked': warn(
    'A service did not return the problems of merchants; their alerts are unchanged until the next round.',
    'audience failure',
  ),
  'directory.resent': info('Facts of the directory were sent to a service again.', 'to kinds facts'),
  'device.heartbeat_not_read': warn('The last heartbeat of a device could not be read from sms-ingest.', 'deviceId'),
  'event_streams.read_failed': warn(
    'Changes could not be sent to open event streams of a merchant; the next round retries within two seconds.',
  ),
  'evidence_file.part_missing': warn('A service did not respond; the evidence file names the missing part.', 'part'),
  'test_run.ended': info('A run of a sandbox test case ended with a result.', 'testRunId merchantId testCase result'),
  'test_run.not_completed': warn(
    'A run of a sandbox test case could not be completed; its result is ERROR.',
    'testRunId testCase',
  ),
  'test_run.failed': error('A run of a sandbox test case could not be stored; it runs again.', 'testRunId'),
  'test_endpoint.not_provided': warn(
    'The hosted test endpoint of a merchant could not be registered; its run expects no webhooks.',
    'merchantId',
  ),
  'payment_audit.mismatch_found': error(
    'A payment differs between services.',
    'kind paymentIntentId merchantId environment',
  ),
  'payment_audit.mismatch_resolved': info(
    'A reported payment no longer differs between services.',
    'kind paymentIntentId merchantId environment',
  ),
};
