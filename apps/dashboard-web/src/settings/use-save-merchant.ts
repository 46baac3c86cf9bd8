import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../api/operations';
import { useCall } from '../session/session-context';

export type MerchantChange = Input<'changeMerchant'>['body'];

/** Stores a change of the merchant; each part of the page has its own state. */
export function useSaveMerchant() {
  const call = useCall();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: MerchantChange) => call('changeMerchant', { body }),
    onSuccess: (changed) => queries.setQueryData(['merchant'], changed),
  });
}
