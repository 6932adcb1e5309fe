// What the page does besides showing what it was sent: without it everything but passkeys works all the same.
"use strict";
(() => {
  // The markup is the server's own, where every text is escaped.
  const rules = { createHTML: (markup) => markup };
  const policy = window.trustedTypes ? trustedTypes.createPolicy("showcase", rules) : rules;
  const find = (selector, root = document) => root.querySelector(selector);
  let asked = "";

  function show(snapshot) {
    document.title = snapshot.title;
    const status = find("#status");
    if (status.textContent !== snapshot.status) status.textContent = snapshot.status;
    const step = find("#product").dataset.step;
    for (const [id, region] of Object.entries(snapshot.regions)) {
      const element = document.getElementById(id);
      if (!element || element.dataset.version === region.version) continue;
      const isProduct = id === "product";
      if (isProduct && step === snapshot.step && isTyping(element)) continue;
      replace(element, region, isProduct);
      if (isProduct) element.dataset.step = snapshot.step;
    }
  }

  function isTyping(element) {
    return [...element.querySelectorAll("input:not([type=hidden])")].some((input) => input.value !== input.defaultValue);
  }

  function replace(element, region, isProduct) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const isOpen = find("details", element)?.open;
    const seen = stations(element);
    element.dataset.version = region.version;
    element.innerHTML = policy.createHTML(region.html);
    element.classList.add("fresh");
    if (isOpen && find("details", element)) find("details", element).open = true;
    light(element, seen);
    count();
    // Who is busy elsewhere on the page stays there.
    if (isProduct && (focused || document.activeElement === document.body)) find("[autofocus]", element)?.focus();
    else if (!isProduct && focused?.value) find(`button[value="${CSS.escape(focused.value)}"]`, element)?.focus({ preventScroll: true });
    else if (!isProduct && focused) find("summary", element)?.focus({ preventScroll: true });
    prepare(element);
  }

  function stations(root) {
    return Object.fromEntries([...root.querySelectorAll("#trail .lit")].map((item) => [item.dataset.station, item.dataset.number]));
  }

  // What the data has reached since then.
  function light(root, seen) {
    for (const item of root.querySelectorAll("#trail .lit")) {
      item.classList.toggle("new", seen[item.dataset.station] !== item.dataset.number);
    }
  }
  function count() {
    for (const clock of document.querySelectorAll("[data-left]")) {
      if (clock.dataset.left === "0") continue;
      // A tab in the background counts seldom.
      clock.endsAt ??= performance.now() + clock.dataset.left * 1000;
      const left = Math.max(0, Math.ceil((clock.endsAt - performance.now()) / 1000));
      clock.dataset.left = left;
      clock.textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
      const bar = clock.closest(".lifetime")?.querySelector("progress");
      if (bar) bar.value = left;
      const line = clock.closest("[data-then]");
      if (left === 0 && line) {
        line.hidden = true;
        document.getElementById(line.dataset.then).hidden = false;
      }
    }
  }
  function prepare(root) {
    for (const button of root.querySelectorAll(".reveal")) {
      button.hidden = false;
      button.addEventListener("click", () => reveal(button));
    }
    const ceremony = find("#ceremony", root);
    if (!ceremony) return;
    find("[data-asks]", ceremony).addEventListener("click", () => ask(ceremony, true));
    if (ceremony.dataset.number !== asked) ask(ceremony, false);
  }

  function reveal(button) {
    const input = document.getElementById(button.dataset.reveals);
    input.type = input.type === "password" ? "text" : "password";
    [button.textContent, button.dataset.other] = [button.dataset.other, button.textContent];
    input.focus();
  }

  document.addEventListener("submit", (event) => {
    for (const button of event.target.querySelectorAll(".reveal")) document.getElementById(button.dataset.reveals).type = "password";
    if (!event.target.closest("#backstage")) return;
    // Backstage nothing is left behind by staying on the page; what changes comes as an event.
    event.preventDefault();
    const form = event.target;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    form.elements.form.value = crypto.randomUUID().replaceAll("-", "");
    fetch("/do", { method: "POST", body, redirect: "manual" });
  });
  async function ask(form, isByHand) {
    asked = form.dataset.number;
    try {
      const options = JSON.parse(form.dataset.options);
      const publicKey = form.dataset.kind === "create"
        ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
        : PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials[form.dataset.kind]({ publicKey });
      send(form, "passkey-answer", JSON.stringify(credential.toJSON()));
    } catch {
      // A browser may want a click first: the button stays.
      if (isByHand) send(form, "passkey-declined", "");
    }
  }

  function send(form, intent, answer) {
    form.elements.answer.value = answer;
    const input = document.createElement("input");
    [input.type, input.name, input.value] = ["hidden", "intent", intent];
    form.append(input);
    form.submit();
  }

  // A live region says what changes: what it is to say comes with the first snapshot.
  find("#status").textContent = "";
  const events = new EventSource("/events?page=" + encodeURIComponent(document.body.dataset.page));
  events.addEventListener("snapshot", (event) => show(JSON.parse(event.data)));
  addEventListener("pagehide", () => events.close());
  setInterval(count, 1000);
  light(document, {});
  prepare(document);
  count();
})();
