import { useSearchParams } from 'wouter';

/** The filters of a list, which are part of the address. An empty value removes a filter. */
export function useFilters(): readonly [filters: URLSearchParams, choose: (name: string, value: string) => void] {
  const [filters, setFilters] = useSearchParams();
  const choose = (name: string, value: string) =>
    setFilters((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return [filters, choose];
}
