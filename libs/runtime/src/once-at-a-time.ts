/** Concurrent calls with the same key share one result; without `keyOf` all of them do. */
export function onceAtATime<Answer, Question = void>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string = () => '',
): (question: Question) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (question) => {
    const key = keyOf(question);
    const current = underWay.get(key);
    if (current) return current;
    const answer = ask(question).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}
