import {
  ALERT_KINDS,
  changedList,
  type AlertKind,
  type AlertSettings,
  type Environment,
  type ListChange,
} from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { recordAction } from '../changes/record-action';
import type { ChangeDeps } from '../changes/store-change';
import { alertKindsOf, lockAlertSettings, storeAlertSettings } from './alert-settings-repository';

export interface ChangeAlertSettingsInput {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly kinds: ListChange<AlertKind>;
}

/** Alerts of kinds that are off are closed by the next round. */
export async function changeAlertSettings(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, environment, kinds: change }: ChangeAlertSettingsInput,
): Promise<AlertSettings> {
  await lockAlertSettings(tx, merchantId);
  const before = await alertKindsOf(tx, { merchantId, environment });
  const kinds = changedList(ALERT_KINDS, before, change);
  await storeAlertSettings(tx, merchantId, environment, kinds, deps.now());
  await recordAction(deps, tx, {
    action: 'alert_settings.changed',
    subjectId: merchantId,
    merchantId,
    environment,
    before: { kinds: before },
    after: { kinds },
  });
  return { environment, kinds };
}
