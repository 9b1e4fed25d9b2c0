/** The names of `--only a,b`, each of which there has to be; all of them where nothing is asked for. */
export function only<Name extends string>(
  asked: string | undefined,
  names: readonly Name[],
): Name[] {
  const unknown = asked?.split(",").find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) {
    throw new Error(`--only has "${unknown}"; expected some of ${names.join(",")}`);
  }
  return names.filter((name) => !asked || asked.split(",").includes(name));
}
