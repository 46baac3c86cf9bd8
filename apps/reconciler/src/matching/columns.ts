/** The columns of a table with their types, as parts of statements that write rows given as JSON. */
export function columnsOf<Name extends string>(types: Readonly<Record<Name, string>>) {
  const names = Object.keys(types) as Name[];
  return {
    /** id, amount */
    names: names.join(', '),
    /** id uuid, amount bigint */
    typed: names.map((name) => `${name} ${types[name]}`).join(', '),
    /** amount = given.amount, for all columns but these. */
    setAllBut: (...fixed: readonly Name[]) =>
      names.flatMap((name) => (fixed.includes(name) ? [] : [`${name} = given.${name}`])).join(', '),
  };
}
