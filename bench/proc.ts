import { readFileSync } from "node:fs";

/** Linux tells processor time in hundredths of a second (USER_HZ), whatever its own clock is. */
const TICKS_PER_SECOND = 100;

/** The processor time in seconds that a process and its children have used, all threads together. */
export function processorTime(pid: number): number {
  // The name of the process comes second, in parentheses, and may hold anything (man 5 proc).
  const stat = read(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  const own = (user + system) / TICKS_PER_SECOND;
  return children(pid).reduce((sum, child) => sum + processorTime(child), own);
}

/** The processes that a process has started. */
export const children = (pid: number) =>
  read(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);

/** Resident memory of a process in megabytes (10⁶ bytes): now, and the most so far. */
export function memory(pid: number): { resident: number; peak: number } {
  const status = read(pid, "status");
  const megabytes = (name: string) =>
    (Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, "m"))?.[1]) * 1024) / 1e6;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
