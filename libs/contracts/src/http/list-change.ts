import { z } from 'zod';
import { yesOrNo } from './request-fields';
import { withoutProto } from './request-values';

/** A new list, or the members that are added (true) and removed (false). */
export type ListChange<Member extends string> = readonly Member[] | { readonly [Name in Member]?: boolean | undefined };

/** For the description of a field. */
export const ONE_BY_ONE = 'An object adds (`true`) and removes (`false`) the members that it names.';

const onlyOf = (field: string, members: readonly string[]) => `${field} must contain only ${members.join(', ')}`;

/**
 * A list in a request. A person who changes one member sends an object, because a whole list would undo what others
 * have changed since it was read.
 */
export function listChange<const Member extends string>(
  field: string,
  members: readonly Member[],
  item: z.ZodType<Member, string> = z.enum(members, onlyOf(field, members)),
) {
  const list = z
    .array(item, { error: `${field} must be an array or an object` })
    .transform((given) => members.filter((known) => given.includes(known)));
  const changed = withoutProto(
    onlyOf(field, members),
    z.partialRecord(z.enum(members), yesOrNo(`each value of ${field}`), onlyOf(field, members)),
  );
  return z.union([list, changed], {
    error: ({ input, errors }) => {
      const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
      return errors[isObject ? 1 : 0]?.[0]?.message;
    },
  });
}

export function changedList<Member extends string>(
  members: readonly Member[],
  before: readonly string[],
  change: ListChange<Member>,
): Member[] {
  const isList = (given: ListChange<Member>): given is readonly Member[] => Array.isArray(given);
  return members.filter((member) =>
    isList(change) ? change.includes(member) : (change[member] ?? before.includes(member)),
  );
}
