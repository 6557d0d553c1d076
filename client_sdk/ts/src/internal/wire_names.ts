// SPDX-License-Identifier: MIT

/** The value of a table of names that the contract's enumerator has too; nothing of one that a newer server knows. */
export function nameIn<Value extends string>(
  table: Readonly<Record<string, Value>>,
  wireName: string | undefined,
): Value | undefined {
  return Object.values(table).find((value) => value === wireName);
}
