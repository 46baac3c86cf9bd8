import { useQuery } from '@tanstack/react-query';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';

/** Descriptions of all test cases in the language of the user. */
export function useTestCases() {
  const { language } = useWords();
  const call = useCall();
  return useQuery({
    queryKey: ['test-cases', language],
    queryFn: ({ signal }) => call('listTestCases', { query: { language } }, signal),
    staleTime: Infinity,
  });
}
