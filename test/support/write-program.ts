/** A program that a test writes and then runs. */
import { execFileSync } from "node:child_process";

/**
 * By another process, which is gone afterwards: what this one has open while another test forks stays open in that fork until it
 * begins its own program, and until then nobody can run the file ("text file busy").
 */
export function writeProgram(path: string, text: string): void {
  execFileSync("/bin/sh", ["-c", 'cat > "$1" && chmod 755 "$1"', "sh", path], { input: text });
}
