import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../api/operations';
import { useCall } from '../session/session-context';

export type MerchantChange = Input<'changeMerchant'>['body'];

/** Stores a change of the merchant. */
export function useSaveMerchant() {
  const call = useCall();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: MerchantChange) => call('changeMerchant', { body }),
    onSuccess: async (changed) => {
      // A reload that began before the change would replace it by the previous values.
      await queries.cancelQueries({ queryKey: ['merchant'] });
      queries.setQueryData<typeof changed>(['merchant'], (known) =>
        known !== undefined && known.version > changed.version ? known : changed,
      );
    },
  });
}
