import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createDirectory } from './20261121100000-create-directory';
import { signInAtTheDashboard } from './20261121120000-sign-in-at-the-dashboard';
import { manageFromTheDashboard } from './20261121130000-manage-from-the-dashboard';
import { letMerchantsSetRulesAndLooks } from './20261121180000-let-merchants-set-rules-and-looks';
import { giveDevicesForwarderHooks } from './20261121210300-give-devices-forwarder-hooks';
import { knowWhenDevicesWereSeen } from './20261121210200-know-when-devices-were-seen';
import { endSessionsWhenASecondFactorBegins } from './20261122183000-end-sessions-when-a-second-factor-begins';
import { knowBrowsersAndGiveNotice } from './20261122183100-know-browsers-and-give-notice';
import { createPaymentAudit } from './20261122200000-create-payment-audit';
import { letPeopleBelongToSeveralMerchants } from './20261122183200-let-people-belong-to-several-merchants';
import { keepMailsUntilTheyAreSent } from './20261122183300-keep-mails-until-they-are-sent';
import { proveLiveNumbers } from './20261122183400-prove-live-numbers';
import { addCheckoutRulesOfMerchants } from './20261122180002-add-checkout-rules-of-merchants';
import { allowUnsignedTextsPerDevice } from './20261122181001-allow-unsigned-texts-per-device';
import { letRetentionDeleteAuditLog } from './20261122213400-let-retention-delete-audit-log';
import { createTestRuns } from './20261123061000-create-test-runs';
import { addSandboxScope } from './20261123053100-add-sandbox-scope';
import { addSupportContactOfMerchants } from './20261123090000-add-support-contact-of-merchants';
import { noteWhereSessionsBegan } from './20261123140000-note-where-sessions-began';
import { alertMerchants } from './20261124033000-alert-merchants';
import { storeRequestedAdvances } from './20261127164500-store-requested-advances';
import { addTestClocks } from './20261123060300-add-test-clocks';

/** In order of application; applied ones are frozen. */
export const migrations: Migration[] = [
  ...messagingMigrations,
  createDirectory,
  signInAtTheDashboard,
  manageFromTheDashboard,
  letMerchantsSetRulesAndLooks,
  giveDevicesForwarderHooks,
  knowWhenDevicesWereSeen,
  endSessionsWhenASecondFactorBegins,
  knowBrowsersAndGiveNotice,
  createPaymentAudit,
  letPeopleBelongToSeveralMerchants,
  keepMailsUntilTheyAreSent,
  proveLiveNumbers,
  addCheckoutRulesOfMerchants,
  allowUnsignedTextsPerDevice,
  letRetentionDeleteAuditLog,
  addSandboxScope,
  createTestRuns,
  addTestClocks,
  addSupportContactOfMerchants,
  noteWhereSessionsBegan,
  ...rateLimitMigrations,
  alertMerchants,
  storeRequestedAdvances,
];
