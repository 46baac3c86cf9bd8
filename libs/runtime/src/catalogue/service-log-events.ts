import { event } from './entries';

export const INTENT_EVENTS = {
  'intent.created': event(
    'info',
    'A payment intent was created.',
    'intentId merchantId environment paymentMethod expiresAt',
  ),
  'intent.method_selected': event(
    'info',
    'The customer chose a method.',
    'intentId merchantId environment paymentMethod',
  ),
  'intent.expiries_moved': event(
    'info',
    'A step of a SANDBOX test clock moved expiries.',
    'merchantId environment stepId intents',
  ),
  'intent.settled': event(
    'info',
    'A decision changed the status of an intent.',
    'intentId merchantId environment from to matchId path reason decidedBy',
  ),
  'intent.decision_confirmed': event(
    'warn',
    'After a failover, the reconciler repeated a decision that was already applied.',
    'intentId status epoch',
  ),
};

export const CHECKOUT_EVENTS = {
  'claims.reannounced': event('warn', 'Claims without a decision were announced again.', 'count'),
  'claim.decided': event(
    'info',
    'A TrxID claim was decided; logged by checkout-api with the outcome returned to the customer, and by the reconciler with the reason.',
    'claimId intentId merchantId environment outcome smsEventId durationMs reason',
  ),
  'reconciler.not_reached': event('warn', 'The reconciler did not respond in time.', 'question'),
  'stream.read_failed': event('warn', 'An event stream could not read its intent; the read is retried.'),
};

export const SMS_EVENTS = {
  'sms.received': event(
    'info',
    'One SMS was stored.',
    'merchantId environment deviceId durationMs smsEventId receiverAccountId provider outcome reason',
  ),
  'sms.batch_received': event(
    'info',
    'A batch of SMS was stored; contains counts.',
    'merchantId environment deviceId durationMs parsed unparsed repeats refused',
  ),
  'sms.not_stored': event('error', 'SMS could not be stored; the phone received an error.', 'deviceId merchantId'),
  'sms.parsed_values_not_stored': event(
    'error',
    'The parsed values of an SMS could not be stored; it was stored as UNPARSED.',
    'deviceId merchantId',
  ),
  'sms.reparsed': event(
    'info',
    'UNPARSED SMS were parsed again; contains counts.',
    'merchantId environment examined changed unchanged skipped',
  ),
  'sms.not_reparsed': event('error', 'An SMS could not be parsed again.', 'smsEventId'),
  'sms.reannounced': event('warn', 'SMS without a decision were announced again.', 'count'),
  'sms.texts_deleted': event('info', 'Retention deleted SMS texts.', 'scope texts'),
  'sms.missing': event(
    'warn',
    'The balances of a wallet show money that no SMS reports.',
    'merchantId environment direction gaps',
  ),
  'balances.not_followed': event('error', 'A balance chain could not be checked; the check is retried.', 'chainId'),
  'device.silent': event(
    'warn',
    'A device that sends heartbeats has been silent for too long.',
    'deviceId merchantId environment seenAt',
  ),
  'device.back': event('info', 'A silent device sent a request again.', 'deviceId merchantId environment seenAt'),
};

export const RECONCILER_EVENTS = {
  'match.windows_moved': event(
    'info',
    'A step of a SANDBOX test clock moved match windows.',
    'merchantId environment stepId windows',
  ),
  'match.decided': event(
    'info',
    'A decision was made and committed.',
    'merchantId environment matchId decisionId smsEventId intentId status reason path failedRules intentStatus paidInTime decidedBy durationMs',
  ),
  'claim.disputed': event(
    'info',
    'A claim named a TrxID that had paid another intent.',
    'merchantId environment intentId smsEventId paidIntentId',
  ),
  'decisions.not_sealed': event('error', 'Decisions could not be linked into their chain.', 'merchantId environment'),
  'decisions.chain_broken': event(
    'error',
    'A decision chain, or a payment in it, differs from the signed decisions.',
    'merchantId environment position decisionId matchId paymentIntentId problem',
  ),
  'decisions.cut_refused': event(
    'error',
    'Retention stopped at an entry that failed verification.',
    'merchantId environment position',
  ),
  'expiry.owner_not_reached': event(
    'warn',
    'Expiry waits because a service did not return its undecided items.',
    'owner',
  ),
  'expiry.owner_answered': event('info', 'The service responds again.', 'owner'),
  'expiry.failed': event(
    'error',
    'An intent could not be expired. It is tried again in the next round; the others are not delayed.',
    'merchantId environment intentId',
  ),
  'match_window.failed': event(
    'error',
    'The match window of a text could not be ended. It is tried again in the next round.',
    'merchantId environment smsEventId',
  ),
  'switch_off.failed': event(
    'error',
    'An intent that can no longer be paid could not be failed. It is tried again after ten seconds; the others are not delayed.',
    'merchantId environment intentId',
  ),
  'switch_off.owner_not_reached': event('warn', 'dashboard-api did not confirm a switch-off.'),
  'switch_off.owner_answered': event('info', 'dashboard-api responds again.'),
};

export const WEBHOOK_EVENTS = {
  'delivery.waits_skipped': event(
    'info',
    'A SANDBOX test clock jumped to the next due time of deliveries.',
    'merchantId environment stepId milliseconds due',
  ),
  'delivery.attempted': event(
    'info',
    'One request to an endpoint has ended.',
    'deliveryId endpointId paymentIntentId eventType attempt outcome detail httpStatus status durationMs nextAttemptInSeconds isRecorded',
  ),
  'delivery.not_sent': event(
    'error',
    'A request could not be sent because of an internal error; it is retried.',
    'deliveryId endpointId',
  ),
  'delivery.not_recorded': event(
    'error',
    'The outcome of a request could not be stored; the delivery is sent again.',
    'deliveryId attempt',
  ),
  'delivery.leases_not_released': event('warn', 'Leases could not be released; they expire.', 'deliveries'),
  'delivery.claim_failed': event('warn', 'Due deliveries could not be claimed; the claim is retried.'),
  'delivery.presence_lost': event(
    'warn',
    'This process lost its presence lock; other processes may take over its leases.',
  ),
  'delivery.leases_released': event('warn', 'Leases of dead processes were released.', 'senders deliveries'),
  'endpoint.failing': event(
    'warn',
    'An endpoint has failed for an hour, a day or four days.',
    'endpointId failingSince failedAttempts',
  ),
  'endpoint.switched_off': event(
    'warn',
    'An endpoint was switched off.',
    'endpointId failingSince failedAttempts reason',
  ),
  'recovery.interrupted': event('warn', 'A recovery of deliveries was interrupted; it continues.'),
};

export const DASHBOARD_EVENTS = {
  'test_clock.service_not_reached': event(
    'warn',
    'A service did not respond to a step of a SANDBOX test clock; it is retried.',
    'merchantId stepId',
  ),
  'session.reuse_detected': event('warn', 'A refresh token was used twice; its session was ended.', 'sessionId userId'),
  'mail.not_sent': event('warn', 'A mail could not be sent; it is retried.', 'mailId attempts'),
  'mail.refused': event('warn', 'The mail server refused the recipient; the mail was deleted.', 'mailId attempts'),
  'mail.given_up': event('error', 'A mail could not be sent for a day and was deleted.', 'mailId attempts'),
  'alerts.not_checked': event(
    'warn',
    'A service did not return the problems of merchants; their alerts are unchanged until the next round.',
    'audience failure',
  ),
  'directory.resent': event('info', 'Facts of the directory were sent to a service again.', 'to kinds facts'),
  'device.heartbeat_not_read': event(
    'warn',
    'The last heartbeat of a device could not be read from sms-ingest.',
    'deviceId',
  ),
  'event_streams.read_failed': event(
    'warn',
    'Changes could not be sent to open event streams of a merchant; the next round retries within two seconds.',
  ),
  'evidence_file.part_missing': event(
    'warn',
    'A service did not respond; the evidence file names the missing part.',
    'part',
  ),
  'test_run.ended': event(
    'info',
    'A run of a sandbox test case ended with a result.',
    'testRunId merchantId testCase result',
  ),
  'test_run.not_completed': event(
    'warn',
    'A run of a sandbox test case could not be completed; its result is ERROR.',
    'testRunId testCase',
  ),
  'test_run.failed': event('error', 'A run of a sandbox test case could not be stored; it runs again.', 'testRunId'),
  'test_endpoint.not_provided': event(
    'warn',
    'The hosted test endpoint of a merchant could not be registered; its run expects no webhooks.',
    'merchantId',
  ),
  'payment_audit.mismatch_found': event(
    'error',
    'A payment differs between services.',
    'kind paymentIntentId merchantId environment',
  ),
  'payment_audit.mismatch_resolved': event(
    'info',
    'A reported payment no longer differs between services.',
    'kind paymentIntentId merchantId environment',
  ),
};
