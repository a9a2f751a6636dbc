import { describe, expect, test } from "vitest";
import { isProgram, overridesFor, parseSettings } from "./git-config.ts";

const setting = (key: string, value = "./evil") => ({ key, value, origin: ".git/config" });

describe("program-valued git configuration", () => {
  test.each(
    `core.fsmonitor core.pager pager.log diff.external diff.d.command diff.d.textconv filter.f.clean filter.f.smudge
    filter.f.process core.editor core.sshcommand core.askpass credential.helper credential.https://h.helper gpg.program
    gpg.ssh.program gpg.ssh.defaultkeycommand core.hookspath interactive.difffilter merge.m.driver sequence.editor
    difftool.t.cmd mergetool.t.path uploadpack.packobjectshook core.alternaterefscommand core.gitproxy tar.foo.command
    trailer.t.command trailer.t.cmd remote.o.uploadpack remote.o.vcs protocol.ext.allow man.e.cmd browser.b.cmd
    hook.h.command trace2.normaltarget sendemail.smtpserver some.future.command some.program`.split(/\s+/),
  )("B1.5 %s is one", (key) => {
    expect(isProgram(setting(key))).toBe(true);
  });

  test.each(
    `core.bare user.name remote.origin.url branch.main.remote diff.algorithm color.ui core.excludesfile`.split(" "),
  )("%s is none", (key) => {
    expect(isProgram(setting(key))).toBe(false);
  });

  test("B1.5 an alias is one when it begins with an exclamation mark", () => {
    expect(isProgram(setting("alias.st", "!touch x"))).toBe(true);
    expect(isProgram(setting("alias.st", "status -s"))).toBe(false);
  });

  test("B1.5 a filter is switched off as a whole, and no longer required", () => {
    expect(overridesFor([setting("filter.my.x.clean"), setting("filter.my.x.required", "true")])).toEqual([
      { key: "filter.my.x.clean", value: "" },
      { key: "filter.my.x.smudge", value: "" },
      { key: "filter.my.x.process", value: "" },
      { key: "filter.my.x.required", value: "false" },
    ]);
  });

  test("a text conversion is replaced by one that changes nothing, an external difference by a plain one", () => {
    const [textconv, external] = overridesFor([setting("diff.d.textconv"), setting("diff.external")]);
    expect(textconv).toEqual({ key: "diff.d.textconv", value: "cat" });
    expect(external?.value).toContain("diff -u");
  });

  test("settings are read with their origin, also without a value or with lines in it", () => {
    expect(parseSettings("file:.git/config\0a.b\n1\0file:/x\0c.d\0file:/x\0e.f\ntwo\nlines\0")).toEqual([
      { key: "a.b", value: "1", origin: ".git/config" },
      { key: "c.d", value: "", origin: "/x" },
      { key: "e.f", value: "two\nlines", origin: "/x" },
    ]);
  });
});
