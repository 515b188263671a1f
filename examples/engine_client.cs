// dotnet run [GAME] [SECONDS]: lets Icarus play a game against itself.  .NET 6 or newer, as the Program.cs of a console project.
using System.Diagnostics;
using System.Text.Json.Nodes;

var game = args.Length > 0 ? args[0] : "connect_four";
var seconds = args.Length > 1 ? double.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture) : 0.5;
var start = new ProcessStartInfo("icarus", "engine") { RedirectStandardInput = true, RedirectStandardOutput = true };
using var engine = Process.Start(start)!;
void Send(JsonObject message) { engine.StandardInput.WriteLine(message.ToJsonString()); engine.StandardInput.Flush(); }
void Think() => Send(new() { ["cmd"] = "go", ["seconds"] = seconds, ["every"] = seconds / 4 });

while (engine.StandardOutput.ReadLine() is { } line)
{
    var answer = JsonNode.Parse(line)!;
    switch ((string)answer["type"]!)
    {
        case "hello": Send(new() { ["cmd"] = "new", ["game"] = game }); break;
        case "analysis": Console.WriteLine($"  {answer["move"]} after {answer["iterations"]} iterations"); break;
        case "new" or "play" when !(bool)answer["over"]!: Think(); break;
        case "play": Console.WriteLine($"rewards: {answer["rewards"]!.ToJsonString()}"); Send(new() { ["cmd"] = "quit" }); break;
        case "best": Console.WriteLine($"player {answer["player"]}: {answer["move"]}");
            Send(new() { ["cmd"] = "play", ["moves"] = new JsonArray((string)answer["move"]!) }); break;
        case "error": Console.Error.WriteLine(answer["error"]); Send(new() { ["cmd"] = "quit" }); break;
    }
}
