import type { DeviceFact } from '@pay/contracts';
import type { RequestHandler, Response } from 'express';
import { noteRoute } from './exchange';
import { unauthorized } from './unauthorized';

/** dk_live_9fK2...: values in another format are refused without a look-up. */
const DEVICE_KEY = /^dk_(?:test|live)_[A-Za-z0-9]{8,120}$/;

/** A missing, an unknown and a disabled key get the same 401. */
export function deviceKeyAuth(find: (key: string) => Promise<DeviceFact | undefined>): RequestHandler {
  return async (request, response, next) => {
    const exchange = noteRoute(request, response);
    const key = request.headers['x-device-key'];
    if (typeof key !== 'string' || !DEVICE_KEY.test(key)) throw unauthorized('deviceKey');
    const device = await find(key);
    if (!device || device.deleted || device.isDisabled) throw unauthorized('deviceKey');
    exchange.merchantId = device.merchantId;
    response.locals['device'] = device;
    next();
  };
}

export function deviceOf(response: Response): DeviceFact {
  const device = response.locals['device'] as DeviceFact | undefined;
  if (!device) throw new TypeError('this route is not behind deviceKeyAuth');
  return device;
}
