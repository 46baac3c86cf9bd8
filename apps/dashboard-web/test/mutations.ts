import { MutationObserver, useQueryClient, type UseMutationOptions } from '@tanstack/react-query';
import { registerChange, stateAt } from './interaction';

/** `useMutation` of the component at a place in the source, which keeps its result from one drawing to the next. */
export function mutationAt(place: string) {
  return (options: UseMutationOptions<unknown, Error, unknown>) => {
    const queries = useQueryClient();
    const [observer] = stateAt(place)(() => {
      const made = new MutationObserver(queries, options);
      made.subscribe(registerChange);
      return made;
    }) as readonly [MutationObserver<unknown, Error, unknown>, unknown];
    observer.setOptions(options);
    const result = observer.getCurrentResult();
    const mutateAsync = result.mutate;
    const mutate = (variables: unknown) => void mutateAsync(variables).catch(() => undefined);
    return { ...result, mutate, mutateAsync };
  };
}
