import { TextInput } from '@mantine/core';
import { dhakaInput, dhakaInstant } from '../text/dhaka-input';
import { useFilters } from './use-filters';

/** A filter of a list by an instant, in the time of Dhaka. `name` is that of the filter in the address. */
export function FilterTime({ name, label }: { readonly name: string; readonly label: string }) {
  const [filters, choose] = useFilters();
  const value = filters.get(name);
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === null ? '' : dhakaInput(new Date(value))}
      onChange={(event) => choose(name, dhakaInstant(event.currentTarget.value) ?? '')}
    />
  );
}
