import type { DeviceFact, MerchantFact } from '@pay/contracts';
import type { OnChange } from '@pay/directory';
import { setDisabled, setMerchantOff } from './device-last-seen-repository';

/** Marks disabled devices and switched-off merchants, so that their silence causes no alert. */
export const followDisabledDevices: OnChange = (tx, facts) => {
  const devices = facts
    .filter(({ kind }) => kind === 'device')
    .map(({ id, deleted, data }) => ({ id, isOff: deleted || (data as DeviceFact).isDisabled }));
  const merchants = facts
    .filter(({ kind }) => kind === 'merchant')
    .map(({ id, deleted, data }) => ({ id, isOff: deleted || !(data as MerchantFact).isActive }));
  if (devices.length > 0) setDisabled(tx, devices);
  if (merchants.length > 0) setMerchantOff(tx, merchants);
  return Promise.resolve();
};
